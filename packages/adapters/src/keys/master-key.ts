/**
 * A key that wraps the records of sealing keys. It may be unreadable, as in a key management service:
 * only its two operations and its id are used.
 *
 * Laws
 * - unwraps what it wrapped
 * - wraps the same bytes differently each time
 * - unwraps nothing that another key wrapped
 * - unwraps nothing that was changed
 */
export type MasterKey = {
  /** The name of the key for operators; it discloses nothing of the key. */
  readonly id: string
  readonly wrap: (record: Uint8Array) => Promise<Uint8Array>
  /** Returns the wrapped record; `undefined` when another key wrapped it, or it was changed. */
  readonly unwrap: (wrapped: Uint8Array) => Promise<Uint8Array | undefined>
}

/** The configured master keys: the first one wraps, all of them unwrap. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]
