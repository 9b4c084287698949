import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that work is done for, as logs and traces name it. */
export type RequestTrace = {
  readonly requestId: string
  /** Its W3C trace context; absent where nobody traces it. */
  readonly traceparent?: string | undefined
}

// Only logs and traces depend on it, so no port has a parameter for it.
const storage = new AsyncLocalStorage<RequestTrace>()

/** Runs `work`, and all that it starts, for a request. */
export const runForRequest = <T>(trace: RequestTrace, work: () => T): T => storage.run(trace, work)

/** Returns the request that the caller works for; `undefined` outside of requests. */
export const currentRequest = (): RequestTrace | undefined => storage.getStore()
