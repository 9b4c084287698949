import { type Child, startChild } from './child.ts'

/** A request of a load process. */
export type LoadRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export type Load = {
  readonly url: string
  readonly connections: number
  /** The requests, distributed among the connections; each connection repeats its share. */
  readonly requests: readonly LoadRequest[]
  /** The duration; when absent, each request is sent once. */
  readonly seconds?: number
  /**
   * Whether the process never sleeps; only for rates of one core, because it needs a core itself.
   */
  readonly awake?: boolean
  /** Whether refusals count as responses, for tests under overload. */
  readonly takesRefusals?: boolean
}

export type Measured = {
  /** Responses per second. */
  readonly rate: number
  /** The 99th percentile of the response time, in milliseconds. */
  readonly p99: number
}

/**
 * Starts a process that sends requests, separate from the server and from the measuring process.
 */
export function startLoad(): Promise<Child<Load, Measured>> {
  return startChild<Load, Measured>('load-process.ts')
}
