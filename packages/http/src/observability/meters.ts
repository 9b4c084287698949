import {
  Counter,
  Gauge,
  Histogram,
  type Registry,
  type Metric as RegistryMetric,
} from 'prom-client'
import { type Metric, metricTable } from './metric-table.ts'

/** The labels of a duration; each has few values. */
type Labels = { readonly method: string; readonly route: string; readonly status: number }

export declare namespace requestDurations {
  type Options = {
    readonly name: string
    readonly help: string
    /** The upper bounds of the buckets, in seconds, in ascending order. */
    readonly buckets: readonly number[]
  }
}

/**
 * Returns a histogram that is cheap enough for every request. That of prom-client builds a key text
 * from all labels for each duration; this one looks up the labels in nested maps, in a third of the
 * time (prom-client 15.1.3, side by side).
 */
export function requestDurations({ name, help, buckets }: requestDurations.Options): {
  readonly metric: RegistryMetric
  /** Adds a duration, in seconds. */
  readonly observe: (labels: Labels, seconds: number) => void
} {
  const all: Series[] = []
  const routes = new Map<string, Map<string, Map<number, Series>>>()
  const addSeries = (labels: Labels) => {
    const series = { labels, counts: buckets.map(() => 0), count: 0, sum: 0 }
    const methods = innerMap(routes, labels.route)
    innerMap(methods, labels.method).set(labels.status, series)
    all.push(series)
    return series
  }
  const get = async () => {
    const values = all.flatMap((series) => samplesOf(name, buckets, series))
    return { name, help, values, type: 'histogram', aggregator: 'sum' }
  }
  return {
    // A registry uses only these members of a metric.
    metric: { name, get } as unknown as RegistryMetric,
    observe: (labels, seconds) => {
      const { route, method, status } = labels
      const series = routes.get(route)?.get(method)?.get(status) ?? addSeries(labels)
      series.count += 1
      series.sum += seconds
      const bucket = buckets.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    },
  }
}

type Series = {
  readonly labels: Labels
  /** The number of durations in each bucket, without those of lower buckets. */
  readonly counts: number[]
  count: number
  sum: number
}

function innerMap<Key, Inner, Value>(
  maps: Map<Key, Map<Inner, Value>>,
  key: Key,
): Map<Inner, Value> {
  const known = maps.get(key) ?? new Map<Inner, Value>()
  maps.set(key, known)
  return known
}

function samplesOf(name: string, buckets: readonly number[], series: Series) {
  const { labels, counts, count, sum } = series
  let upTo = 0
  const cumulative = buckets.map((le, index) => {
    upTo += counts[index] ?? 0
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: upTo }
  })
  return [
    ...cumulative,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

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
