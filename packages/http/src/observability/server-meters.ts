import { Counter, type Registry } from 'prom-client'
import { requestDurations } from './request-durations.ts'

/** A request that was answered. */
export type Answered = {
  readonly method: string
  /** The pattern of its route; absent where there was none. */
  readonly route: string | undefined
  readonly status: number
  /** Milliseconds. */
  readonly took: number
  /** The name of the API key that it gave. */
  readonly key?: string | undefined
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
  const keys = new Counter({
    registers: [registry],
    name: 'heirloom_api_key_requests_total',
    help: 'Requests that gave an API key of the server, by its name',
    labelNames: ['key'],
  })
  return {
    answered: ({ method, route = 'none', status, took, key }) => {
      observe({ method, route, status }, took / 1000)
      if (key !== undefined) keys.inc({ key })
    },
  }
}
