import { Counter, type Registry } from 'prom-client'
import { requestDurations } from './request-durations.ts'

/** A request that was answered. */
export type Answered = {
  readonly method: string
  /** The pattern of its route; absent where there was none. */
  readonly route: string | undefined
  readonly status: number
  /** The duration in milliseconds. */
  readonly took: number
  /** The name of its API key. */
  readonly key?: string | undefined
}

/** Registers the meters of requests. */
export function serverMeters(registry: Registry): {
  readonly answered: (request: Answered) => void
} {
  const { metric, observe } = requestDurations({
    name: 'heirloom_http_request_duration_seconds',
    help: 'The duration of requests, without streams; `route` is the pattern of the path, `none` for an unknown path',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  })
  registry.registerMetric(metric)
  const keys = new Counter({
    registers: [registry],
    name: 'heirloom_api_key_requests_total',
    help: 'Requests with an API key of the server, by its name',
    labelNames: ['key'],
  })
  return {
    answered: ({ method, route = 'none', status, took, key }) => {
      observe({ method, route, status }, took / 1000)
      if (key !== undefined) keys.inc({ key })
    },
  }
}
