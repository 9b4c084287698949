import type { CatalogueEvent } from '@heirloom/adapters/catalogue'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import { Counter, Gauge, type Registry } from 'prom-client'

/** What is counted of events, from the chain to those who listen. */
export type EventMeters = {
  readonly catalogue: (event: CatalogueEvent) => void
  readonly webhook: (event: WebhookEvent) => void
  /** Notes how many streams of events are open. */
  readonly streams: (open: number) => void
}

/** Registers what is counted of events. */
export function eventMeters(registry: Registry): EventMeters {
  const { lag, read, errors } = catalogueMeters([registry])
  const { streams, deliveries } = listenerMeters([registry])
  return {
    catalogue: (event) => {
      if (event.kind === 'failed') errors.inc()
      if (event.kind !== 'read') return
      read.inc(event.events)
      lag.set(Math.max(0, event.head - event.upTo))
    },
    webhook: ({ kind }) => deliveries.inc({ end: kind }),
    streams: (open) => streams.set(open),
  }
}

function catalogueMeters(registers: Registry[]) {
  const lag = new Gauge({
    registers,
    name: 'heirloom_catalogue_lag_blocks',
    help: 'Blocks that the catalogue had not read when it last looked; absent until it did',
  })
  lag.remove()
  const read = new Counter({
    registers,
    name: 'heirloom_catalogue_events_total',
    help: 'Events of the contracts that the catalogue has read',
  })
  const errors = new Counter({
    registers,
    name: 'heirloom_catalogue_errors_total',
    help: 'Times that the chain or the store of the catalogue failed it; it tries again',
  })
  return { lag, read, errors }
}

function listenerMeters(registers: Registry[]) {
  const streams = new Gauge({
    registers,
    name: 'heirloom_event_streams',
    help: 'Streams of events that are open',
  })
  const deliveries = new Counter({
    registers,
    name: 'heirloom_webhook_deliveries_total',
    help: 'Events sent to webhooks, by whether they were taken; `trouble` is of our own stores',
    labelNames: ['end'],
  })
  for (const end of ['delivered', 'failed', 'trouble']) deliveries.inc({ end }, 0)
  return { streams, deliveries }
}
