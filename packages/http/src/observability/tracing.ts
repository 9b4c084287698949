import type { LaneEvent } from '@heirloom/adapters/ledger'
import type { TracingSettings } from '../config/read-observability.ts'

/** A request that is traced. */
export type TracedRequest = {
  readonly method: string
  /** The pattern of its route; absent where there was none. */
  readonly route: string | undefined
  readonly requestId: string
  /** The W3C trace context that its client sent. */
  readonly traceparent: string | undefined
}

/** The span of a request. */
export type RequestSpan = {
  /** The W3C trace context of what the request causes. */
  readonly traceparent: string
  /** Ends the span; `key` is the name of the API key. */
  readonly end: (reply: { readonly status: number; readonly key?: string | undefined }) => void
}

/** Records traces, from a request through its job to its transaction. */
export type Tracing = {
  readonly startRequest: (request: TracedRequest) => RequestSpan
  /** Records the spans of jobs that ended, and of their transactions. */
  readonly observe: (event: LaneEvent) => void
  /** Sends what is recorded, for a short while at most. */
  readonly close: () => Promise<void>
}

export declare namespace openTracing {
  type Options = {
    readonly settings: TracingSettings | undefined
    /** Reports that traces could not be sent. */
    readonly onTrouble: (error: unknown) => void
  }
}

/** Opens the traces of a server; `undefined` where no collector is set. */
export async function openTracing({
  settings,
  onTrouble,
}: openTracing.Options): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined
  // The library takes a tenth of a second to load, which most servers do not need.
  const { otlpTracing } = await import('./otlp-tracing.ts')
  return otlpTracing(settings, onTrouble)
}
