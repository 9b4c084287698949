/** What makes a write happen once, however often it is asked for. */
export type Idempotency = {
  /** Names the write; the caller chose it. */
  readonly key: string
  /** What was asked for, so that a key given again for another request is told. */
  readonly fingerprint: string
}
