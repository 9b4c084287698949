import { type EnsNames, ensChains, ensNames, ensRegistry } from '@heirloom/adapters/internal/ens'
import type { ViemLedger } from '@heirloom/adapters/ledger'
import { type Clock, isFailure, later } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import type { MeteredWallet } from '../../observability/metrics.ts'
import type { RecentFailures } from '../../observability/recent-failures.ts'
import type { ApiKey } from '../api-keys/key-ring.ts'
import type { TenantLedger } from '../keys/tenants.ts'
import type { OpenChain } from '../open-chain.ts'
import type { ReadHeir, WalletState } from '../operations/accounts.ts'
import type { OperatorParts, TenantState } from '../operations/operator.ts'

/**
 * Returns the reader of heirs. The time is that of a block mined now: a chain without traffic has an old
 * block, and one whose time was moved on has a late one.
 */
export const heirReader =
  ({ readHeirPlan }: Pick<ViemLedger, 'readHeirPlan'>, { now }: Clock): ReadHeir =>
  async (account) => {
    const { plan, asOf } = await readHeirPlan(account)
    return { plan, now: later(asOf, now()) }
  }

/** Returns the names of ENS, where the chain has it. */
export function openEns(
  { source, chainId }: Pick<OpenChain, 'source' | 'chainId'>,
  { ens }: Pick<Config, 'ens'>,
  { now }: Clock,
): EnsNames | undefined {
  if (ens === 'none') return undefined
  const registry = ens ?? (ensChains.includes(chainId) ? ensRegistry : undefined)
  return registry && ensNames({ chain: source, registry, now: () => Number(now()) })
}

type Input = {
  readonly tenants: readonly TenantLedger[]
  readonly failures: RecentFailures
}

/** Returns what tells an operator of a server that starts now. */
export const operatorParts = ({ tenants, failures }: Input): OperatorParts => ({
  startedAt: Date.now(),
  readTenants: () => Promise.all(tenants.map(readTenant)),
  failures: failures.list,
})

async function readTenant({ name, isActive, limits, ledger }: TenantLedger): Promise<TenantState> {
  const wallet = await ledger.wallet().catch(() => undefined)
  return { name, address: ledger.agent, isActive, wallet, limits }
}

/**
 * Reads the state of a wallet, for an API key if there is one.
 *
 * @throws `ledger/unavailable`
 */
export async function readWalletState(
  { ledger, limits }: { readonly ledger: ViemLedger } & Pick<Config, 'limits'>,
  caller: ApiKey | undefined,
): Promise<WalletState> {
  const { balance, spentToday } = await ledger.wallet()
  const { perCall: maxSpendPerCall, perDay: maxSpendPerDay } = limits
  const spentByKey = caller && (await ledger.spentInName(caller))
  const state = { address: ledger.agent, balance, spentToday, spentByKey }
  return { ...state, maxSpendPerCall, maxSpendPerDay }
}

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
