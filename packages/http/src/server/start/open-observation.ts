import type { NodeChange } from '@heirloom/adapters/internal/nodes'
import type { LaneEvent } from '@heirloom/adapters/ledger'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import {
  logCatalogueEvent,
  logNodeChange,
  logNonceLane,
  logWebhookEvent,
} from '../../observability/log-events.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { type OutageLog, outageLog } from '../../observability/outage-log.ts'
import { openTracing, type Tracing } from '../../observability/tracing.ts'

type Input = {
  readonly config: Pick<Config, 'tracing'>
  readonly logger: () => FastifyBaseLogger | undefined
}

/** Opens the log of outages, and the traces where a collector is set; registers their end. */
export async function openObservation(
  { config, logger }: Input,
  resources: AsyncDisposableStack,
): Promise<{ readonly outages: OutageLog; readonly tracing: Tracing | undefined }> {
  const outages = outageLog({ logger })
  const onTrouble = (error: unknown) => outages.trouble(error, 'traces cannot be sent')
  const tracing = await openTracing({ settings: config.tracing, onTrouble })
  if (tracing !== undefined) resources.defer(tracing.close)
  return { outages, tracing }
}

type Parts = {
  readonly meters: Metrics
  readonly logger: () => FastifyBaseLogger | undefined
  readonly outages: OutageLog
  readonly tracing: Tracing | undefined
}

/**
 * Returns the observers of all events: each counts an event, logs it once there is a log, and traces
 * the writes.
 */
export function eventObservers({ meters, logger, outages, tracing }: Parts) {
  const both =
    <Event>(
      count: (event: Event) => void,
      log: (to: FastifyBaseLogger, event: Event, outages: OutageLog) => void,
    ) =>
    (event: Event) => {
      count(event)
      const open = logger()
      if (open !== undefined) log(open, event, outages)
    }
  return {
    /** Returns the observer of the lane of a tenant, or of the server itself. */
    lane: (tenant?: string) => {
      // A wallet that nobody has led yet has its gauges, too.
      meters.observe({ kind: 'leads', leads: false }, tenant)
      const count = (event: LaneEvent) => {
        meters.observe(event, tenant)
        tracing?.observe(event)
      }
      return both(count, (log, event, outages) =>
        logNonceLane(tenant === undefined ? log : log.child({ tenant }), event, outages),
      )
    },
    catalogue: both(meters.catalogue, logCatalogueEvent),
    webhook: both(meters.webhook, logWebhookEvent),
  }
}

/** Returns the observers of the nodes of a remote chain. */
export function nodeObservers({ observeNode }: OutageLog, logger: Parts['logger']) {
  return {
    observe: observeNode,
    onChange: (change: NodeChange) => {
      const open = logger()
      if (open !== undefined) logNodeChange(open, change)
    },
  }
}
