import { type JsonText, parseJson } from './json.ts'
import { encodeUtf8 } from './utf8.ts'

/** The names of one object, which its members must not share. */
export type MemberNames = {
  /** Forgets all names, for the next object. */
  readonly clear: () => void
  /** Adds the name from `start` to `end`, with its quotes; returns whether it is new. */
  readonly add: (start: number, end: number) => boolean
}

/** Up to this number of names they are compared one by one, which is faster than a set of texts. */
const fewNames = 32

const backslash = 0x5c

/** Collects the names of one object of a JSON text after another. */
export function memberNames(bytes: Uint8Array): MemberNames {
  const [sums, starts, ends]: [number[], number[], number[]] = [[], [], []]
  let count = 0
  let set: Set<string> | undefined
  const textAt = (index: number) => nameOf(bytes, starts[index] as number, ends[index] as number)
  const isKnown = (sum: number, start: number, end: number): boolean => {
    for (let index = 0; index < count; index++) {
      if (sums[index] === sum && textAt(index) === nameOf(bytes, start, end)) return true
    }
    return false
  }
  const addToSet = (start: number, end: number): boolean => {
    set ??= new Set(Array.from({ length: count }, (_, index) => textAt(index)))
    const { size } = set
    return set.add(nameOf(bytes, start, end)).size > size
  }
  const addToList = (start: number, end: number): boolean => {
    const sum = sumOf(bytes, start, end)
    if (isKnown(sum, start, end)) return false
    sums[count] = sum
    starts[count] = start
    ends[count] = end
    count += 1
    return true
  }
  return {
    clear: () => {
      count = 0
      set = undefined
    },
    // Collisions of the sums can be made on purpose, so a list stays short.
    add: (start, end) => (count < fewNames ? addToList(start, end) : addToSet(start, end)),
  }
}

/** Returns a sum that is equal for equal names, however they are written. */
function sumOf(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0
  for (let at = start + 1; at < end - 1; at++) {
    const byte = bytes[at] as number
    if (byte === backslash) return sumOfText(nameOf(bytes, start, end))
    sum = (sum * 31 + byte) | 0
  }
  return sum
}

const sumOfText = (name: string) => encodeUtf8(name).reduce((sum, byte) => (sum * 31 + byte) | 0, 0)

const nameOf = (bytes: Uint8Array, start: number, end: number) =>
  String(parseJson(bytes.subarray(start, end) as JsonText))
