import type { Wei } from '../values/branded.ts'

/** The name that a write is charged to, and the limits of its spending. */
export type Budget = {
  readonly name: string
  /** The most that one write may cost, in wei; unlimited when absent. */
  readonly perCall?: Wei | undefined
  /** The most that the writes of a day (UTC) may cost, in wei; unlimited when absent. */
  readonly perDay?: Wei | undefined
  /** Whether the writes of all wallets of a server count together; those of each apart when absent. */
  readonly spansWallets?: boolean | undefined
}

/** The identity of a request, so that a write is made once however often it is requested. */
export type Idempotency = {
  /** The idempotency key, chosen by the caller. */
  readonly key: string
  /** A digest of the request, so that a key reused for another request is detected. */
  readonly fingerprint: string
}
