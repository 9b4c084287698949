/** Values by key, of which only those used lately are kept. */
export type Recent<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/**
 * Returns an empty memory of the `most` values used last and at most as many others. The others are
 * forgotten all at once: a map that loses its oldest entry for each new one gets slow.
 */
export function recent<Key, Value>(most: number): Recent<Key, Value> {
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  const set = (key: Key, value: Value) => {
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    set,
    get: (key) => {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)

      return older
    },
  }
}
