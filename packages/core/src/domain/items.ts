import { isFailure } from '../failure.ts'
import {
  afterByte,
  afterScalar,
  afterSpace,
  afterString,
  type JsonText,
  maxJsonDepth,
  parseJson,
} from './json.ts'
import { memberNames } from './member-names.ts'
import { escapeToken } from './parts/pointer.ts'

/**
 * An item of a document: a value that its Merkle root commits to. `pointer` is its JSON pointer
 * (RFC 6901), `start` and `end` are where its exact bytes are in the document.
 */
export type Item = { readonly pointer: string; readonly start: number; readonly end: number }

/**
 * The limits of items/1, which are a format for ever: the longest value in bytes, the most reference
 * tokens of a pointer, the longest name on the way to a value as it is written with its quotes, in
 * bytes, and how many items are taken from the start and from the end of a document.
 */
export const itemLimits = { bytes: 4096, depth: 8, nameBytes: 256, atEachEnd: 4096 } as const

/**
 * Returns the items of a document; `undefined` when it is not a JSON object (RFC 8259, UTF-8, nested
 * at most 1000 deep), or an object anywhere in it has two members of one name.
 *
 * The items are a pure function of the bytes. An item is a value of at most 4096 bytes whose pointer
 * has 1 to 8 reference tokens, none of them a member whose name takes more than 256 bytes as it is
 * written or holds half of a surrogate pair. Values are ordered by their last byte. Of more than
 * 8192 such values only the first 4096 and the last 4096 are items.
 */
export function itemsOf(document: Uint8Array): readonly Item[] | undefined {
  const walk = startWalk(document)
  try {
    return walkAll(walk) ? foundItems(walk) : undefined
  } catch (error) {
    if (isFailure(error, 'json/malformed') || isFailure(error, 'json/too-deep')) return undefined
    throw error
  }
}

const [comma, colon, backslash] = [0x2c, 0x3a, 0x5c]
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d]

const { atEachEnd, bytes: maxBytes, depth: maxDepth } = itemLimits

/** The numbers of a found value: start, end, depth, and for each depth the key of its path. */
const recordLength = 3 + maxDepth

/** The number of values that fit at first; the room doubles when they do not. */
const firstRoom = 32

/** The containers around a position, and the values found so far. Index 0 of each list is unused. */
type Walk = {
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
}

const startWalk = (bytes: Uint8Array): Walk => ({
  ...{
    bytes,
    depth: 0,
    starts: [0],
    closes: [0],
    keys: new Int32Array(maxJsonDepth + 1),
    isNamed: [true],
    names: [],
  },
  ...{ count: 0, records: new Int32Array(firstRoom * recordLength) },
})

/** Walks through a document; returns `false` at a name that its object already has. */
function walkAll(walk: Walk): boolean {
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
    if (bytes[at] === comma) return nextKey(walk, afterSpace(bytes, at + 1))
    end = afterByte(bytes, at, walk.closes[walk.depth] as number)
    start = walk.starts[walk.depth] as number
    leave(walk)
  }
  return end
}

function nextKey(walk: Walk, at: number): number {
  const { closes, depth, keys } = walk
  if (closes[depth] === braceClose) return afterName(walk, at)
  keys[depth] = (keys[depth] as number) - 1
  return at
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

function foundItems({ bytes, count, records }: Walk): readonly Item[] {
  const tokens = new Map<number, string>()
  return Array.from({ length: count < 2 * atEachEnd ? count : 2 * atEachEnd }, (_, slot) => {
    const at = slot * recordLength
    const [start, end, depth] = records.subarray(at, at + 3) as unknown as [number, number, number]
    return {
      pointer: pointerOf(bytes, records.subarray(at + 3, at + 3 + depth), tokens),
      start,
      end,
    }
  })
}

/** Returns a pointer; `tokens` keeps those of names, by their positions, for values below the same. */
function pointerOf(bytes: Uint8Array, keys: Int32Array, tokens: Map<number, string>): string {
  let pointer = ''
  for (const key of keys) pointer += `/${key < 0 ? ~key : tokenAt(bytes, key, tokens)}`
  return pointer
}

function tokenAt(bytes: Uint8Array, start: number, tokens: Map<number, string>): string {
  const known = tokens.get(start)
  if (known !== undefined) return known
  const token = escapeToken(nameAt(bytes, start))
  tokens.set(start, token)
  return token
}

const nameAt = (bytes: Uint8Array, start: number) =>
  String(parseJson(bytes.subarray(start, afterString(bytes, start)) as JsonText))
