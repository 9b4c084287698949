/** An entry of a list, with an id of at least 4 bytes that nobody without the key of the line can choose. */
type WithId = { readonly id: Uint8Array }

/**
 * Returns the search for the index of an entry by its id; of several with one id, the last. A table
 * of numbers: a map with texts for keys takes three times as long to make, for each save anew.
 */
export function idIndex(entries: readonly WithId[]): (id: Uint8Array) => number | undefined {
  const mask = powerAbove(2 * entries.length) - 1
  /** Indices from 1, each in the first free slot from the one that its id begins with; 0 is free. */
  const table = new Int32Array(mask + 1)
  const slotOf = (id: Uint8Array): number => {
    let slot = firstNumber(id) & mask
    for (;;) {
      const held = entries[(table[slot] as number) - 1]
      if (held === undefined || isEqual(held.id, id)) return slot
      slot = (slot + 1) & mask
    }
  }
  for (const [at, { id }] of entries.entries()) table[slotOf(id)] = at + 1
  return (id) => {
    const found = table[slotOf(id)] as number
    return found === 0 ? undefined : found - 1
  }
}

function powerAbove(count: number): number {
  let power = 2
  while (power < count) power *= 2
  return power
}

function firstNumber(id: Uint8Array): number {
  let number = 0
  for (let at = 0; at < 4; at++) number = (number << 8) | (id[at] as number)
  return number
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
