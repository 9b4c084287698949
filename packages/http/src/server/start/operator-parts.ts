import type { RecentFailures } from '../../observability/recent-failures.ts'
import type { OperatorParts, TenantState } from '../operations/operator.ts'
import type { TenantLedger } from '../tenants/tenant-wallets.ts'

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
