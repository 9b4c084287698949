import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { invalidVariable } from '../../config/environment.ts'
import { isLocalOnly, type Reach } from '../../config/read-access.ts'
import type { Tenant } from '../keys/tenants.ts'
import type { StoredKey } from './key-ring.ts'
import { type ApiKey, allows, type KeyRing, keyRing } from './key-ring.ts'

/** The API keys of a running server, which are reloaded when their file changes. */
export type OpenApiKeys = {
  readonly ring: KeyRing
  /** Reads the file again; an invalid file leaves the keys unchanged. */
  readonly reload: () => void
  readonly close: () => Promise<void>
}

/** The outcome of a reload of the key file. */
export type ApiKeysEvent =
  | { readonly kind: 'reloaded'; readonly keys: number }
  | { readonly kind: 'rejected'; readonly error: unknown }

export declare namespace openApiKeys {
  type Options = {
    readonly observe: (event: ApiKeysEvent) => void
    /** The interval at which the file is checked, in milliseconds. */
    readonly interval?: number
  }
}

/**
 * Opens the configured API keys. Their file is reloaded when it changes, and on SIGHUP.
 *
 * @throws `config/invalid`
 */
export async function openApiKeys(
  { apiKeys: plain, apiKeysFile: path }: Pick<Config, 'apiKeys' | 'apiKeysFile'>,
  { observe, interval = 1000 }: openApiKeys.Options,
): Promise<OpenApiKeys> {
  if (path === undefined) {
    return { ring: keyRing({ plain }), reload: () => {}, close: async () => {} }
  }
  const parseKeyFile = await loadParser()
  const readStored = () => parseKeyFile(textOf(path))
  // Taken before the file is read, so that a change during the read is seen later.
  let seen = await versionOf(path)
  const ring = keyRing({ plain, stored: readStored() })
  const reload = () => {
    try {
      const stored = readStored()
      ring.replace(stored)
      observe({ kind: 'reloaded', keys: stored.length })
    } catch (error) {
      observe({ kind: 'rejected', error })
    }
  }
  const check = async () => {
    const version = await versionOf(path)
    if (version === seen) return
    seen = version
    reload()
  }
  // Polling also sees a file that a network drive or a container replaces.
  const timer = setInterval(check, interval).unref()
  process.on('SIGHUP', reload)
  const close = async () => {
    clearInterval(timer)
    process.off('SIGHUP', reload)
  }
  return { ring, reload, close }
}

/**
 * Reads the keys of a file.
 *
 * @throws `config/invalid`
 */
export async function readKeyFile(path: string): Promise<readonly StoredKey[]> {
  return (await loadParser())(textOf(path))
}

// The validation takes time to load, and most servers have no key file.
const loadParser = async () => (await import('./key-file.ts')).parseKeyFile

/** Returns what changes with each version of a file; empty when there is no file. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    return [ino, size, mtimeNs].join(' ')
  } catch {
    return ''
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw invalidVariable(
      'API_KEYS_FILE',
      'names no file that can be read; heirloom api-key new makes one',
    )
  }
}

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
