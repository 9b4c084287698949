/** A key that wraps the data keys of envelopes. */
export type SealingKey = {
  /** 16 random bytes; every envelope names the key that it was sealed under by it. */
  readonly id: Uint8Array
  /** 32 bytes. */
  readonly key: Uint8Array
}

/** The sealing keys that a cipher works with; which those are may change while it runs. */
export type SealingKeys = {
  /** Returns the key that new bundles are sealed under. */
  readonly current: () => SealingKey
  /** Returns the key with an id; `undefined` when it is not here. */
  readonly find: (id: Uint8Array) => SealingKey | undefined
}
