import type { CatalogueEvent } from '@heirloom/adapters/catalogue'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import type { FastifyBaseLogger } from 'fastify'

/** Tells an operator what the catalogue met; what goes well is only counted. */
export function logCatalogue(log: FastifyBaseLogger, event: CatalogueEvent): void {
  if (event.kind === 'failed') log.warn({ err: event.cause }, 'the catalogue cannot read on')
  else if (event.kind === 'rebuilt') log.warn({ err: event.cause }, 'the catalogue is made again')
  else if (event.kind === 'reorganised') {
    log.warn({ from: event.from }, 'the catalogue took back blocks')
  }
}

/** Tells an operator what webhooks met, by their ids: their addresses may hold secrets. */
export function logWebhook(log: FastifyBaseLogger, event: WebhookEvent): void {
  if (event.kind === 'trouble') log.warn({ err: event.error }, 'events cannot be delivered')
  else if (event.kind === 'failed') {
    log.info({ webhook: event.hook, problem: event.problem }, 'a webhook did not take an event')
  }
}

/** Reports sealing keys that are missing, or cannot be read or renewed. */
export function logKeys(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'the sealing keys need a look')
}
