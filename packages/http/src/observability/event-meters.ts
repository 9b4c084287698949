import type { CatalogueEvent } from '@heirloom/adapters/catalogue'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import type { Meters } from './meters.ts'

/** The meters of events, from the chain to the subscribers. */
export type EventMeters = {
  readonly catalogue: (event: CatalogueEvent) => void
  readonly webhook: (event: WebhookEvent) => void
  /** Sets the number of open event streams. */
  readonly streams: (open: number) => void
}

/** Returns what sets the meters of events. */
export function eventMeters(meters: Meters): EventMeters {
  meters.heirloom_catalogue_lag_blocks.remove()
  const deliveries = meters.heirloom_webhook_deliveries_total
  for (const end of ['delivered', 'failed', 'trouble']) deliveries.inc({ end }, 0)
  return {
    catalogue: (event) => countCatalogueEvent(meters, event),
    webhook: ({ kind }) => deliveries.inc({ end: kind }),
    streams: (open) => meters.heirloom_event_streams.set(open),
  }
}

function countCatalogueEvent(meters: Meters, event: CatalogueEvent): void {
  if (event.kind === 'failed') meters.heirloom_catalogue_errors_total.inc()
  if (event.kind === 'read') meters.heirloom_catalogue_events_total.inc(event.events)
  if (event.kind !== 'stands') return
  const { upTo, head, confirmed, doubt } = event
  meters.heirloom_catalogue_lag_blocks.set(Math.max(0, head - upTo))
  meters.heirloom_catalogue_unconfirmed_blocks.set(Math.max(0, upTo - confirmed))
  const doubtful = doubt === undefined ? 0 : 1 + doubt.to - doubt.from
  meters.heirloom_catalogue_doubtful_blocks.set(doubtful)
}
