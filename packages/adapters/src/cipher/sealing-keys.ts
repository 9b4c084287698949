/** A key that wraps the data keys of envelopes. */
export type SealingKey = {
  /** 16 bytes; an envelope names its sealing key by this id. */
  readonly id: Uint8Array
  /** 32 bytes. */
  readonly key: Uint8Array
}

/** The sealing keys of a cipher; they may change while it runs. */
export type SealingKeys = {
  /** Returns the key that new bundles are sealed under. */
  readonly current: () => SealingKey
  /** Returns the key with an id; `undefined` when it is missing. */
  readonly find: (id: Uint8Array) => SealingKey | undefined
}
