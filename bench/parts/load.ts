import { type Child, startChild } from './child.ts'

/** A request, as a load process sends it. */
export type Sent = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export type Load = {
  readonly url: string
  readonly connections: number
  /** Shared out among the connections, each of which sends its share over and over. */
  readonly requests: readonly Sent[]
  /** How long to go on; without it each request is sent once. */
  readonly seconds?: number
  /** Never sleeps between answers; for rates that one core makes, since it takes one for itself. */
  readonly awake?: boolean
  /** Whether refusals count as answers, as where more is asked than can be answered. */
  readonly takesRefusals?: boolean
}

export type Measured = {
  /** Answers per second. */
  readonly rate: number
  /** The time within which 99 of 100 requests were answered, in milliseconds. */
  readonly p99: number
}

/** Starts a process that sends requests, apart from those that answer and those that measure. */
export function startLoad(): Promise<Child<Load, Measured>> {
  return startChild<Load, Measured>('load-process.ts')
}
