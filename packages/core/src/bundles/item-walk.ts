import {
  afterByte,
  afterScalar,
  afterSpace,
  afterString,
  type JsonText,
  maxJsonDepth,
  parseJson,
} from '../json/json.ts'
import { memberNames } from '../json/member-names.ts'
import { findSkip, type ItemSkips, itemSkips, type UnchangedRun } from './item-skips.ts'

/**
 * The limits of items/1, which are a format for ever: the longest value in bytes, the most reference
 * tokens of a pointer, the longest name on the way to a value as it is written with its quotes, in
 * bytes, and how many items are taken from the start and from the end of a document.
 */
export const itemLimits = { bytes: 4096, depth: 8, nameBytes: 256, atEachEnd: 4096 } as const

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d]

export const { atEachEnd, bytes: maxBytes, depth: maxDepth } = itemLimits

/** The numbers of a found value: start, end, depth, and for each depth the key of its path. */
export const recordLength = 3 + maxDepth

/** The number of values that fit at first; the room doubles when they do not. */
const firstRoom = 32

/** The containers around a position, and the values found so far. Index 0 of each list is unused. */
export type Walk = {
  readonly bytes: Uint8Array
  depth: number
  readonly starts: number[]
  /** For each open container the byte that closes it. */
  readonly closes: number[]
  /** The current key of each container: the position of a member's name, or ~index of an element. */
  readonly keys: Int32Array
  /** Whether the values below the current key may be items by the names of their path. */
  readonly isNamed: boolean[]
  readonly names: ReturnType<typeof memberNames>[]
  count: number
  records: Int32Array
  /** For each open container the position of its bracket, or of the last comma in it. */
  readonly marks: Int32Array
  readonly skips: ItemSkips
  /** The number of values up to the last skip; `undefined` before the first one. */
  countAtSkip: number | undefined
}

/** Returns a walk at the start of a document, which need not read all of what is unchanged. */
export const startWalk = (bytes: Uint8Array, unchanged: readonly UnchangedRun[]): Walk => ({
  bytes,
  depth: 0,
  starts: [0],
  closes: [0],
  keys: new Int32Array(maxJsonDepth + 1),
  isNamed: [true],
  names: [],
  count: 0,
  records: new Int32Array(firstRoom * recordLength),
  countAtSkip: undefined,
  marks: new Int32Array(maxJsonDepth + 1),
  skips: itemSkips(unchanged, { values: atEachEnd, depth: maxDepth }),
})

/**
 * Walks through a document; returns `false` at a name that its object already has.
 *
 * @throws `json/malformed`, `json/too-deep`
 */
export function walkAll(walk: Walk): boolean {
  const { bytes } = walk
  let at = afterSpace(bytes, 0)
  if (bytes[at] !== braceOpen) return false
  do {
    const byte = bytes[at]
    if (byte === braceOpen || byte === bracketOpen) at = open(walk, at)
    else at = afterValue(walk, at, afterScalar(bytes, at))
    if (at < 0) return false
  } while (walk.depth > 0)
  return afterSpace(bytes, at) === bytes.length
}

/** Opens a container; returns the position of its first value, or -1 at a duplicate member. */
function open(walk: Walk, start: number): number {
  const { bytes } = walk
  const depth = walk.depth + 1
  if (depth > maxJsonDepth) return -1
  const close = bytes[start] === braceOpen ? braceClose : bracketClose
  walk.depth = depth
  walk.starts[depth] = start
  walk.closes[depth] = close
  walk.keys[depth] = 0
  walk.isNamed[depth] = walk.isNamed[depth - 1] as boolean
  const at = afterSpace(bytes, start + 1)
  if (bytes[at] === close) return afterValue(leave(walk), start, at + 1)
  if (close === braceClose) {
    walk.names[depth] ??= memberNames(bytes)
    walk.names[depth]?.clear()
    return afterName(walk, at)
  }
  walk.keys[depth] = ~0
  walk.marks[depth] = start
  return at
}

function leave(walk: Walk): Walk {
  walk.depth -= 1
  return walk
}

/** Reads the name of a member; returns the position of its value, or -1 when it is a duplicate. */
function afterName(walk: Walk, start: number): number {
  const { bytes, depth } = walk
  const end = afterString(bytes, start)
  const isNew = walk.names[depth]?.add(start, end) ?? false
  if (!isNew) return -1
  walk.keys[depth] = start
  walk.isNamed[depth] = (walk.isNamed[depth - 1] as boolean) && canName(bytes, start, end)
  return afterSpace(bytes, afterByte(bytes, afterSpace(bytes, end), colon))
}

function canName(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > itemLimits.nameBytes) return false
  for (let at = start; at < end; at++) {
    if (bytes[at] === backslash) return !/\p{Surrogate}/u.test(nameAt(bytes, start))
  }
  return true
}

/**
 * Records a value and leaves the containers that end after it. Returns the position of the next
 * value, or -1 at a duplicate member.
 */
function afterValue(walk: Walk, valueStart: number, valueEnd: number): number {
  const { bytes } = walk
  let [start, end] = [valueStart, valueEnd]
  while (walk.depth > 0) {
    record(walk, start, end)
    const at = afterSpace(bytes, end)
    if (bytes[at] === comma) return nextKey(walk, at)
    end = afterByte(bytes, at, walk.closes[walk.depth] as number)
    start = walk.starts[walk.depth] as number
    leave(walk)
  }
  return end
}

function nextKey(walk: Walk, comma: number): number {
  const { bytes, closes, depth, keys, skips } = walk
  if (closes[depth] === braceClose) return afterName(walk, afterSpace(bytes, comma + 1))
  keys[depth] = (keys[depth] as number) - 1
  // The first values are items, so none of them is skipped.
  const at = comma < skips.from || walk.count < atEachEnd ? comma : skipFrom(walk, comma)
  walk.marks[depth] = at
  return afterSpace(bytes, at + 1)
}

/** Returns the comma from which to read on. */
function skipFrom(walk: Walk, comma: number): number {
  const { bytes, depth, keys, marks, skips } = walk
  const skip = findSkip(skips, bytes, { at: comma, mark: marks[depth] as number, depth })
  if (skip === undefined) return comma
  keys[depth] = (keys[depth] as number) - skip.elements
  walk.countAtSkip = walk.count
  return skip.at
}

function record(walk: Walk, start: number, end: number): void {
  const { depth } = walk
  if (depth > maxDepth || end - start > maxBytes || !walk.isNamed[depth]) return
  const { keys } = walk
  const records = roomFor(walk)
  let at = slotOf(walk.count) * recordLength
  records[at++] = start
  records[at++] = end
  records[at++] = depth
  for (let level = 1; level <= depth; level++) records[at++] = keys[level] as number
  walk.count += 1
}

/** Returns the place of a value: the latest ones are a ring after the first ones. */
const slotOf = (count: number) =>
  count < atEachEnd ? count : atEachEnd + ((count - atEachEnd) % atEachEnd)

/** Returns the records, with room for one more. */
function roomFor(walk: Walk): Int32Array {
  const { count, records } = walk
  if (count * recordLength < records.length || count >= 2 * atEachEnd) return records
  walk.records = new Int32Array(2 * records.length)
  walk.records.set(records)
  return walk.records
}

/** Returns the name of a member from the position of its quote. */
export function nameAt(bytes: Uint8Array, start: number): string {
  let name = ''
  for (let at = start + 1; ; at++) {
    const byte = bytes[at] as number
    if (byte === quote) return name
    // Long documents have thousands of names, mostly short ones without escapes.
    if (byte === backslash || byte >= 0x80) return parsedName(bytes, start)
    name += String.fromCharCode(byte)
  }
}

const parsedName = (bytes: Uint8Array, start: number) =>
  String(parseJson(bytes.subarray(start, afterString(bytes, start)) as JsonText))
