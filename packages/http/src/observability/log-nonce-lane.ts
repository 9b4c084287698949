import type { LaneEvent } from '@heirloom/adapters/ledger'
import type { FastifyBaseLogger } from 'fastify'

const sentences = {
  resent: 'resent a transaction',
  replaced: 'replaced a stuck transaction',
  cancelled: 'cancelled a transaction that was not mined in time',
  lost: 'another transaction of the agent wallet took a nonce; its writes go on under the next',
  reorganised: 'the chain was reorganised',
} as const

/** Logs the troubles of the nonce lane; the metrics count all its events. */
export function logNonceLane(log: FastifyBaseLogger, event: LaneEvent): void {
  if (event.kind === 'trouble') log.warn({ err: event.error }, 'the chain or the job store failed')
  else if (event.kind === 'leads') log.info({ leads: event.leads }, 'leads the agent wallet')
  else if (event.kind === 'resent') log.debug(sentences.resent)
  else if (event.kind in sentences) log.warn(sentences[event.kind as keyof typeof sentences])
}
