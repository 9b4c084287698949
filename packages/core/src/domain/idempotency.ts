/** The identity of a request, so that a write is made once however often it is requested. */
export type Idempotency = {
  /** The idempotency key, chosen by the caller. */
  readonly key: string
  /** A digest of the request, so that a key reused for another request is detected. */
  readonly fingerprint: string
}
