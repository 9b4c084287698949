import type { Registry } from 'prom-client'
import { requestDurations } from './request-durations.ts'

/** A request that was answered. */
export type Answered = {
  readonly method: string
  /** The pattern of its route; absent where there was none. */
  readonly route: string | undefined
  readonly status: number
  /** Milliseconds. */
  readonly took: number
}

/** Registers what is counted of requests. */
export function serverMeters(registry: Registry): {
  readonly answered: (request: Answered) => void
} {
  const { metric, observe } = requestDurations({
    name: 'heirloom_http_request_duration_seconds',
    help: 'How long requests took to answer, but for streams; `route` is the pattern of the path, `none` where there is none',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  })
  registry.registerMetric(metric)
  return {
    answered: ({ method, route = 'none', status, took }) =>
      observe({ method, route, status }, took / 1000),
  }
}
