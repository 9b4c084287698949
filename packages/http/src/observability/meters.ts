import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Metric, metricTable } from './metric-table.ts'
import { requestDurations } from './request-durations.ts'

type Kinds<Label extends string> = {
  readonly counter: Counter<Label>
  readonly gauge: Gauge<Label>
  readonly histogram: Pick<Histogram<Label>, 'observe'>
}

type Table = typeof metricTable

/** The meters of the metrics, by their names. */
export type Meters = {
  readonly [name in keyof Table]: Kinds<Table[name]['labels'][number]>[Table[name]['kind']]
}

/** The metric of each request, which a histogram of prom-client would slow down. */
const ofRequests: keyof Meters = 'heirloom_http_request_duration_seconds'

/** Registers every metric of the table, and returns its meter. */
export function openMeters(registry: Registry): Meters {
  const opened = Object.entries<Metric>(metricTable).map(
    ([name, metric]) => [name, openMeter(registry, name, metric)] as const,
  )
  // The table gives every name its kind and its labels.
  return Object.fromEntries(opened) as unknown as Meters
}

function openMeter(registry: Registry, name: string, metric: Metric): object {
  const { kind, help, labels, buckets = [] } = metric
  const options = { registers: [registry], name, help, labelNames: [...labels] }
  if (kind === 'counter') return new Counter(options)
  if (kind === 'gauge') return new Gauge(options)
  if (name !== ofRequests) return new Histogram({ ...options, buckets: [...buckets] })
  const durations = requestDurations({ name, help, buckets })
  registry.registerMetric(durations.metric)
  return durations
}
