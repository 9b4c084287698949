import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../config/loopback.ts'
import { allows } from './api-key.ts'
import type { KeyRing } from './key-ring.ts'
import type { ApiKeysEvent } from './open-api-keys.ts'

/** Logs the outcome of a reload of the key file. */
export function logApiKeysEvent(log: FastifyBaseLogger | undefined, event: ApiKeysEvent): void {
  if (event.kind === 'reloaded') log?.info({ keys: event.keys }, 'API keys reloaded')
  else log?.error({ err: event.error }, 'API keys not reloaded; the previous keys stay valid')
}

/** Warns of a server that other machines reach and whose daily spending has no limit. */
export function warnOfUnboundedSpending(
  log: FastifyBaseLogger,
  { host, limits }: Pick<Config, 'host' | 'limits'>,
  keys: Pick<KeyRing, 'all' | 'isRequired'>,
): void {
  if (isLoopback(host) || limits.perDay !== undefined) return
  const unbounded = keys.all().filter((key) => allows(key, 'write') && key.perDay === undefined)
  if (keys.isRequired && unbounded.length === 0) return
  log.warn(
    { keys: unbounded.map(({ name }) => name) },
    'the agent wallet has no limit of what it spends in a day; set MAX_SPEND_PER_DAY, or a budget for each API key',
  )
}
