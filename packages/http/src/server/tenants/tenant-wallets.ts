import type { OpenedTenant } from '@heirloom/adapters/keys'
import type { ViemLedger } from '@heirloom/adapters/ledger'
import { walletOf } from '@heirloom/adapters/wallet'
import { type Wei, wei } from '@heirloom/core'
import { bytesToHex, type LocalAccount } from 'viem'

/** The most that a wallet spends, in wei; an absent limit does not bound. */
export type Limits = { readonly perCall: Wei | undefined; readonly perDay: Wei | undefined }

/** A tenant of a running server: its wallet, and the limits of what it spends. */
export type Tenant = {
  readonly name: string
  /** False while its removal is not complete: it begins nothing new, and ends what it began. */
  readonly isActive: boolean
  readonly wallet: LocalAccount
  readonly limits: Limits
}

/** A tenant, and the ledger on which its wallet acts. */
export type TenantLedger = Omit<Tenant, 'wallet'> & { readonly ledger: ViemLedger }

/** Returns the wallets of tenants; a limit that a tenant lacks is that of the server. */
export const tenantWallets = (
  tenants: readonly OpenedTenant[],
  { limits }: { readonly limits: Limits },
): readonly Tenant[] =>
  tenants.map(({ facts: { name, state, perCall, perDay }, walletKey }) => ({
    name,
    isActive: state === 'active',
    wallet: walletOf(bytesToHex(walletKey)),
    limits: {
      perCall: perCall === undefined ? limits.perCall : wei(perCall),
      perDay: perDay === undefined ? limits.perDay : wei(perDay),
    },
  }))
