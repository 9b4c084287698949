import { Failure, type Ledger, type MemoryService } from '@heirloom/core'
import type { ApiKey } from '../api-keys/api-key.ts'
import type { Acting as LedgerActing } from '../container.ts'
import type { ServerKeys } from '../keys/open-keys.ts'
import type { Limits, TenantLedger } from './tenant-wallets.ts'
import type { Acting, Tenants } from './tenants.ts'

/** The tenants of a running server, with the wallet of each. */
export type OpenTenants = Tenants & {
  /**
   * Returns the wallet that acts for an API key: that of its tenant, or the server's own.
   *
   * @throws `request/not-authorized` when the tenant was closed
   */
  readonly walletFor: (caller: ApiKey | undefined) => Wallet
}

type Wallet = Pick<TenantLedger, 'ledger' | 'limits'>

type Parts = {
  readonly tenants: readonly TenantLedger[]
  /** The server's own ledger and limits. */
  readonly ledger: TenantLedger['ledger']
  readonly limits: Limits
  readonly keys: Pick<ServerKeys, 'seals'>
  readonly serviceOf: (acting: LedgerActing) => MemoryService
  /** Wraps the ledger of a service. */
  readonly through: (ledger: Ledger) => Ledger
}

/** Opens the services of the tenants: each acts with its own wallet, and seals under its own keys. */
export function openTenants({
  tenants,
  ledger,
  limits,
  keys,
  serviceOf,
  through,
}: Parts): OpenTenants {
  const known = new Map<string, Acting & Wallet>()
  for (const tenant of tenants.filter(({ isActive }) => isActive)) {
    const service = serviceOf({ ledger: through(tenant.ledger), tenant: tenant.name })
    known.set(tenant.name, { ...tenant, agent: tenant.ledger.agent, service })
  }
  const find = (name: string) => (keys.seals(name) ? known.get(name) : undefined)
  return {
    find,
    walletFor: (caller) => {
      if (caller?.tenant === undefined) return { ledger, limits }
      const found = find(caller.tenant)
      if (found === undefined) throw new Failure('request/not-authorized', { scheme: 'Bearer' })
      return found
    },
  }
}
