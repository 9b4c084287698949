import type { CatalogueEvent } from '@heirloom/adapters/catalogue'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import type { CopyRefusal } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { OutageLog } from './outage-log.ts'

/** Logs the troubles of the catalogue; the metrics count all its events. */
export function logCatalogueEvent(
  log: FastifyBaseLogger,
  event: CatalogueEvent,
  outages: OutageLog,
): void {
  if (event.kind === 'failed') outages.trouble(event.cause, 'the catalogue cannot read further')
  else if (event.kind === 'rebuilt') log.warn({ err: event.cause }, 'the catalogue is rebuilt')
  else if (event.kind === 'begins') {
    log.info({ block: event.firstBlock }, 'the catalogue reads the chain from this block on')
  } else if (event.kind === 'doubted') {
    const { from, to, reason } = event
    log.warn({ from, to, reason }, 'the catalogue doubts the events of some blocks; it asks again')
  } else if (event.kind === 'resolved') log.info('the catalogue doubts no events any more')
  else if (event.kind === 'reorganised') {
    log.warn({ from: event.from }, 'the catalogue rolled back blocks')
  }
}

/** Logs the troubles of webhooks, by their ids: their addresses may contain secrets. */
export function logWebhookEvent(
  log: FastifyBaseLogger,
  event: WebhookEvent,
  outages: OutageLog,
): void {
  if (event.kind === 'trouble') outages.trouble(event.error, 'events cannot be delivered')
  else if (event.kind === 'failed') {
    log.info({ webhook: event.hook, problem: event.problem }, 'a webhook did not accept an event')
  }
}

/** Logs that sealing keys are missing, or cannot be read or renewed. */
export function logKeyFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'the sealing keys need attention')
}

/** Logs that copies of a peer are refused, because it has stored too much or the disk is too full. */
export function logRefusal(log: FastifyBaseLogger | undefined, refusal: CopyRefusal): void {
  const { peer, bytes, limit } = refusal
  const message =
    'copies of a peer are refused: it has stored all that it may, or less than a tenth of the disk is free. Raise BLOB_BYTES_PER_PEER or free the disk, unless the peer should not store so much'
  log?.warn({ peer, bytes, limit }, message)
}

/** Logs that an order with money at its address could not be ended; the next sweep tries again. */
export function logOrderFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'an order could not be ended; the next sweep tries again')
}

/** Logs that no backup can be made while this server runs. */
export function logHoldFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'heirloom backup cannot use this server; stop it to make a backup')
}

/** Logs that a sweep of packs failed. */
export function logSweepFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'unused packs could not be removed; the next full hour tries again')
}

/** Logs that the blobs of a token could not be claimed; the next start checks them. */
export function logClaimFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'a blob could not be claimed; the next start checks it')
}
