import type { FastifyBaseLogger } from 'fastify'
import { isLocalOnly, type Reach } from '../../config/read-access.ts'
import type { Tenant } from '../tenants/tenant-wallets.ts'
import { type ApiKey, allows } from './api-key.ts'
import type { KeyRing } from './key-ring.ts'
import type { ApiKeysEvent } from './open-api-keys.ts'

/** Logs the outcome of a reload of the key file. */
export function logApiKeysEvent(log: FastifyBaseLogger | undefined, event: ApiKeysEvent): void {
  if (event.kind === 'reloaded') log?.info({ keys: event.keys }, 'API keys reloaded')
  else log?.error({ err: event.error }, 'API keys not reloaded; the previous keys stay valid')
}

type Served = Pick<Tenant, 'name' | 'limits'>

/** Warns of a server that other machines reach and whose daily spending has no limit. */
export function warnOfUnboundedSpending(
  log: FastifyBaseLogger,
  config: Reach & Wallets,
  keys: Pick<KeyRing, 'all' | 'isRequired'>,
): void {
  if (isLocalOnly(config)) return
  const { limits } = config
  const limitOf = (key: ApiKey) => key.perDay ?? walletOf(key, config)?.limits.perDay
  const unbounded = keys
    .all()
    .filter((key) => allows(key, 'write') && limitOf(key) === undefined)
    .filter((key) => walletOf(key, config) !== undefined)
  if (keys.isRequired ? unbounded.length === 0 : limits.perDay !== undefined) return
  log.warn(
    { keys: unbounded.map(({ name }) => name) },
    'the agent wallet has no limit of what it spends in a day; set MAX_SPEND_PER_DAY, or a budget for each API key',
  )
}

type Wallets = { readonly limits: Served['limits']; readonly tenants: readonly Served[] }

/** Returns the wallet that an API key acts with; `undefined` when its tenant is not served. */
const walletOf = ({ tenant }: ApiKey, { limits, tenants }: Wallets) =>
  tenant === undefined ? { limits } : tenants.find(({ name }) => name === tenant)

/** Warns of API keys that are refused, because the server does not act for their tenant. */
export function warnOfUnservedKeys(
  log: FastifyBaseLogger,
  tenants: readonly Pick<Served, 'name'>[],
  { all }: Pick<KeyRing, 'all'>,
): void {
  const names = new Set(tenants.map(({ name }) => name))
  const refused = all().filter(({ tenant }) => tenant !== undefined && !names.has(tenant))
  if (refused.length === 0) return
  log.warn(
    { keys: refused.map(({ name }) => name), tenants: refused.map(({ tenant }) => tenant) },
    'these API keys are refused, because there is no such tenant; heirloom tenants list shows them all, and a new one needs a start of the server',
  )
}
