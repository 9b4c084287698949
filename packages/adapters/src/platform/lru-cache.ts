/** Values by key, of which only those used lately are kept. */
export type Recent<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
}

/**
 * Returns an empty memory of the values used last, up to `most` by weight, and at most as much of
 * others. The others are forgotten all at once: a map that loses its oldest entry for each new one
 * gets slow. Each value weighs 1 unless told.
 */
export function recent<Key, Value>(
  most: number,
  weigh: (value: Value) => number = () => 1,
): Recent<Key, Value> {
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()
  let weight = 0
  const drop = (key: Key) => {
    const known = young.get(key)
    if (known !== undefined && young.delete(key)) weight -= weigh(known)
  }
  const set = (key: Key, value: Value) => {
    drop(key)
    if (weight + weigh(value) > most) {
      old = young
      young = new Map()
      weight = 0
    }
    weight += weigh(value)
    young.set(key, value)
  }
  return {
    set,
    get: (key) => {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    delete: (key) => {
      drop(key)
      old.delete(key)
    },
  }
}
