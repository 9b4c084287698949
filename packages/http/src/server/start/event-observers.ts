import type { FastifyBaseLogger } from 'fastify'
import { logCatalogueEvent, logWebhookEvent } from '../../observability/log-events.ts'
import { logNonceLane } from '../../observability/log-nonce-lane.ts'
import type { Metrics } from '../../observability/metrics.ts'

/** Returns the observers of all events: each counts an event, and logs it once there is a log. */
export function eventObservers(metrics: Metrics, logger: () => FastifyBaseLogger | undefined) {
  const both =
    <Event>(count: (event: Event) => void, log: (to: FastifyBaseLogger, event: Event) => void) =>
    (event: Event) => {
      count(event)
      const open = logger()
      if (open !== undefined) log(open, event)
    }
  return {
    lane: both(metrics.observe, logNonceLane),
    catalogue: both(metrics.catalogue, logCatalogueEvent),
    webhook: both(metrics.webhook, logWebhookEvent),
  }
}
