import type { Metric } from 'prom-client'

/** What durations are told apart by; there are few of each. */
type Labels = { readonly method: string; readonly route: string; readonly status: number }

export declare namespace requestDurations {
  type Options = {
    readonly name: string
    readonly help: string
    /** The upper bounds to count under, in seconds, the least one first. */
    readonly buckets: readonly number[]
  }
}

/**
 * Returns a histogram for what happens with every request. The library's makes a text of all labels
 * and looks that up for each duration; this one follows the labels themselves, at a fraction of it.
 */
export function requestDurations({ name, help, buckets }: requestDurations.Options): {
  readonly metric: Metric
  /** Counts a duration, in seconds. */
  readonly observe: (labels: Labels, seconds: number) => void
} {
  const all: Series[] = []
  const routes = new Map<string, Map<string, Map<number, Series>>>()
  const begin = (labels: Labels) => {
    const series = { labels, counts: buckets.map(() => 0), count: 0, sum: 0 }
    const methods = kept(routes, labels.route)
    kept(methods, labels.method).set(labels.status, series)
    all.push(series)
    return series
  }
  const get = async () => {
    const values = all.flatMap((series) => samplesOf(name, buckets, series))
    return { ...{ name, help, values }, type: 'histogram', aggregator: 'sum' }
  }
  return {
    // All that a registry asks of a metric.
    metric: { name, get } as unknown as Metric,
    observe: (labels, seconds) => {
      const { route, method, status } = labels
      const series = routes.get(route)?.get(method)?.get(status) ?? begin(labels)
      series.count += 1
      series.sum += seconds
      const bucket = buckets.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    },
  }
}

type Series = {
  readonly labels: Labels
  /** How many fell into each bucket and no lower one; those above all are not in it. */
  readonly counts: number[]
  count: number
  sum: number
}

function kept<Key, Inner, Value>(maps: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const known = maps.get(key) ?? new Map<Inner, Value>()
  maps.set(key, known)
  return known
}

function samplesOf(name: string, buckets: readonly number[], series: Series) {
  const { labels, counts, count, sum } = series
  let upTo = 0
  const under = buckets.map((le, place) => {
    upTo += counts[place] ?? 0
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: upTo }
  })
  return [
    ...under,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
