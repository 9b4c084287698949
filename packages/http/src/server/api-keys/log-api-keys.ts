import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../config/loopback.ts'
import { allows } from './api-key.ts'
import type { KeyRing } from './key-ring.ts'
import type { ApiKeysEvent } from './open-api-keys.ts'

/** Logs what became of a file of keys that was read again. */
export function logApiKeys(log: FastifyBaseLogger | undefined, event: ApiKeysEvent): void {
  if (event.kind === 'reloaded') log?.info({ keys: event.keys }, 'API keys reloaded')
  else log?.error({ err: event.error }, 'API keys not reloaded; those before stay')
}

/** Warns where other machines reach a server whose wallet nothing but its balance bounds. */
export function warnOfSpending(
  log: FastifyBaseLogger,
  { host, limits }: Pick<Config, 'host' | 'limits'>,
  keys: Pick<KeyRing, 'all' | 'isRequired'>,
): void {
  if (isLoopback(host) || limits.perDay !== undefined) return
  const unbounded = keys.all().filter((key) => allows(key, 'write') && key.perDay === undefined)
  if (keys.isRequired && unbounded.length === 0) return
  log.warn(
    { keys: unbounded.map(({ name }) => name) },
    'nothing bounds what the agent wallet spends in a day; set MAX_SPEND_PER_DAY, or a budget for each API key',
  )
}
