import type { Tape } from './json-tape.ts'
import { childrenOf, kindOf, stringOf, textOf, type Value } from './json-value.ts'

/**
 * Returns the number of a value. Two values have the same number exactly when they are equal: strings
 * by their characters, however those are escaped; numbers by their spelling; objects with the order of
 * their members and with duplicates.
 */
export type NumberOf = (value: Value) => number

/** Returns a function that gives equal values equal numbers. */
export function numberValues(): NumberOf {
  const numbers = new Map<string, number>()
  const known = new Map<Tape, Int32Array>()
  const numberFor = (key: string): number => {
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return number
  }
  return ({ tape, node }) => {
    const found = tableOf(known, tape)
    if (found[node] !== 0) return found[node] as number
    // From the end, so that what is inside of a value has its number before the value.
    for (let at = (tape.nexts[node] as number) - 1; at >= node; at--) {
      if (found[at] === 0) found[at] = numberFor(keyOf({ tape, node: at }, found))
    }
    return found[node] as number
  }
}

function tableOf(known: Map<Tape, Int32Array>, tape: Tape): Int32Array {
  const found = known.get(tape) ?? new Int32Array(tape.starts.length)
  known.set(tape, found)
  return found
}

/** Returns a text that equal values share, in which those inside stand as their numbers. */
function keyOf(value: Value, found: Int32Array): string {
  const kind = kindOf(value)
  if (kind === 'string') return `"${stringOf(value)}`
  // A text of digits alone would be hashed by its value, so that many could be made to collide.
  if (kind === 'word') return `#${textOf(value)}`
  const { tape, node } = value
  const inside = childrenOf(tape, node).map((child) => found[child])
  return `${kind === 'array' ? '[' : '{'}${inside.join()}`
}
