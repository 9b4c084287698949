import type { ViemLedger } from '@heirloom/adapters/ledger'
import { isFailure } from '@heirloom/core'
import type { MeteredWallet } from '../../observability/metrics.ts'

type Writer = Pick<ViemLedger, 'wallet' | 'requireAlone'>

type Writers = {
  readonly ledger: Writer
  readonly tenants: readonly { readonly name: string; readonly ledger: Writer }[]
}

/** Returns the wallets that act here, each with the name of its tenant, and how to read it. */
export const walletsOf = ({ ledger, tenants }: Writers): readonly MeteredWallet[] => [
  meteredWallet(undefined, ledger),
  ...tenants.map((it) => meteredWallet(it.name, it.ledger)),
]

const meteredWallet = (tenant: string | undefined, writer: Writer): MeteredWallet => ({
  tenant,
  read: writer.wallet,
  isShared: () => isShared(writer),
})

function isShared({ requireAlone }: Writer): boolean {
  try {
    requireAlone()
    return false
  } catch (error) {
    if (isFailure(error, 'wallet/shared')) return true
    throw error
  }
}
