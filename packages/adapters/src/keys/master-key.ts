/**
 * A key that wraps the records of sealing keys. It may lie where nobody can read it, as in a key
 * management service: only its two acts and its name can be used.
 *
 * Laws
 * - unwraps what it wrapped
 * - wraps the same bytes differently each time
 * - unwraps nothing that another key wrapped
 * - unwraps nothing that was changed
 */
export type MasterKey = {
  /** Names the key to operators; the key cannot be learnt from it. */
  readonly id: string
  readonly wrap: (record: Uint8Array) => Promise<Uint8Array>
  /** Returns what was wrapped; `undefined` when this key did not wrap it, or it was changed. */
  readonly unwrap: (wrapped: Uint8Array) => Promise<Uint8Array | undefined>
}

/** The master keys that are configured: the first one wraps, all of them unwrap. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]
