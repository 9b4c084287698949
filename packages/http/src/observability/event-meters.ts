import type { CatalogueEvent } from '@heirloom/adapters/catalogue'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import { Counter, Gauge, type Registry } from 'prom-client'

/** The meters of events, from the chain to the subscribers. */
export type EventMeters = {
  readonly catalogue: (event: CatalogueEvent) => void
  readonly webhook: (event: WebhookEvent) => void
  /** Sets the number of open event streams. */
  readonly streams: (open: number) => void
}

/** Registers the meters of events. */
export function eventMeters(registry: Registry): EventMeters {
  const { lag, unconfirmed, doubtful, read, errors } = catalogueMeters([registry])
  const { streams, deliveries } = subscriberMeters([registry])
  return {
    catalogue: (event) => {
      if (event.kind === 'failed') errors.inc()
      if (event.kind === 'read') read.inc(event.events)
      if (event.kind !== 'stands') return
      const { upTo, head, confirmed, doubt } = event
      lag.set(Math.max(0, head - upTo))
      unconfirmed.set(Math.max(0, upTo - confirmed))
      doubtful.set(doubt === undefined ? 0 : 1 + doubt.to - doubt.from)
    },
    webhook: ({ kind }) => deliveries.inc({ end: kind }),
    streams: (open) => streams.set(open),
  }
}

function catalogueMeters(registers: Registry[]) {
  const lag = new Gauge({
    registers,
    name: 'heirloom_catalogue_lag_blocks',
    help: 'Blocks that the catalogue has not read, while it reads and while it cannot; absent at first',
  })
  lag.remove()
  const unconfirmed = new Gauge({
    registers,
    name: 'heirloom_catalogue_unconfirmed_blocks',
    help: 'Blocks that the catalogue has read once and will compare with a second reading',
  })
  const doubtful = new Gauge({
    registers,
    name: 'heirloom_catalogue_doubtful_blocks',
    help: 'Blocks whose events are in doubt, because answers of the node contradict each other or are missing',
  })
  const read = new Counter({
    registers,
    name: 'heirloom_catalogue_events_total',
    help: 'Events of the contracts that the catalogue has read',
  })
  const errors = new Counter({
    registers,
    name: 'heirloom_catalogue_errors_total',
    help: 'Failures of the chain or of the database of the catalogue; it retries',
  })
  return { lag, unconfirmed, doubtful, read, errors }
}

function subscriberMeters(registers: Registry[]) {
  const streams = new Gauge({
    registers,
    name: 'heirloom_event_streams',
    help: 'Open event streams',
  })
  const deliveries = new Counter({
    registers,
    name: 'heirloom_webhook_deliveries_total',
    help: 'Events sent to webhooks: accepted (`delivered`), not accepted (`failed`), or held up by our own database (`trouble`)',
    labelNames: ['end'],
  })
  for (const end of ['delivered', 'failed', 'trouble']) deliveries.inc({ end }, 0)
  return { streams, deliveries }
}
