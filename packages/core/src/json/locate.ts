import { Failure } from '../failure.ts'
import {
  type DocumentCursor,
  jump,
  markOf,
  openNextWindow,
  peek,
  positionOf,
} from './document-cursor.ts'
import { nameMatcher, readName } from './member-name.ts'
import { printPointer } from './pointer.ts'
import { braceOpen, bracketOpen, closes, enter, leave, skipCommas, skipValue } from './skip.ts'
import { encodeUtf8 } from './utf8.ts'

/**
 * Moves a cursor from the beginning of a document to the value that a JSON Pointer names. A name
 * that an object has more than once names no value (RFC 6901 §4). Goes through the document once,
 * however deep the value is.
 *
 * @throws `part/not-found`
 */
export async function locate(cursor: DocumentCursor, tokens: readonly string[]): Promise<void> {
  const found = await find(cursor, { tokens, index: 0 })
  if ('problem' in found) throw failureOf(found)
  jump(cursor, found.mark)
}

/** The tokens of a pointer, and the number of those that lead to the value at the cursor. */
type Way = { readonly tokens: readonly string[]; readonly index: number }

type Problematic = Way & { readonly problem: Problem }

/** The value that a pointer names, or where and why it names none. */
type Found = { readonly mark: Readonly<DocumentCursor> } | Problematic

function failureOf({ tokens, index, problem }: Problematic): Failure {
  const pointer = printPointer(tokens) ?? ''
  const above = printPointer(tokens.slice(0, index)) ?? ''
  return new Failure('part/not-found', { pointer, problem: problem(above) })
}

/** Returns a problem for the pointer of the value above. */
type Problem = (above: string) => string

const quoted = (pointer: string): string => (pointer === '' ? 'the document' : pointer)

const noMember: Problem = (above) => `${quoted(above)} has no such member`
const noItem: Problem = (above) => `${quoted(above)} has no such item`
const noParent: Problem = (above) => `${quoted(above)} is neither an object nor an array`
const twice: Problem = (above) =>
  `${quoted(above)} has that member more than once; read ${quoted(above)} itself`

/** Finds the value that a pointer names below the value at the cursor; moves the cursor after that. */
async function find(cursor: DocumentCursor, way: Way): Promise<Found> {
  const { tokens, index } = way
  const byte = await peek(cursor)
  const token = tokens[index]
  if (token !== undefined && byte === braceOpen) return findInObject(cursor, way, token)
  if (token !== undefined && byte === bracketOpen) return findInArray(cursor, way, token)
  const mark = markOf(cursor)
  await skipValue(cursor)
  return token === undefined ? { mark } : { ...way, problem: noParent }
}

const below = ({ tokens, index }: Way): Way => ({ tokens, index: index + 1 })

async function findInArray(cursor: DocumentCursor, way: Way, token: string): Promise<Found> {
  const item = /^(0|[1-9][0-9]{0,14})$/.test(token) ? Number(token) : Number.POSITIVE_INFINITY
  let found: Found = { ...way, problem: noItem }
  if ((await enter(cursor)) && (await skipCommas(cursor, item)) === item) {
    if (item > 0) cursor.at++
    found = await find(cursor, below(way))
  }
  await skipCommas(cursor, Number.POSITIVE_INFINITY)
  leave(cursor)
  return found
}

async function findInObject(cursor: DocumentCursor, way: Way, token: string): Promise<Found> {
  const matches = nameMatcher(token, encodeUtf8(token))
  let found: Found | undefined
  let hasMore = await enter(cursor)
  while (hasMore) {
    if (matches(await readName(cursor))) {
      found = found === undefined ? await find(cursor, below(way)) : { ...way, problem: twice }
    }
    hasMore = await skipMember(cursor)
  }
  leave(cursor)
  return found ?? { ...way, problem: noMember }
}

/** Skips the rest of a member and the comma after it; returns whether another one follows. */
export async function skipMember(cursor: DocumentCursor): Promise<boolean> {
  await skipCommas(cursor, 1)
  if (closes(await peek(cursor))) return false
  cursor.at++
  await peek(cursor)
  return true
}

/** The place of a value in a document. */
export type ValuePlace = {
  /** The number of bytes of its exact text. */
  readonly length: number
  readonly mark: Readonly<DocumentCursor>
}

/** Measures the value at a cursor and moves the cursor after it. */
export async function measureValue(cursor: DocumentCursor): Promise<ValuePlace> {
  await peek(cursor)
  const mark = markOf(cursor)
  return { mark, length: await skipValue(cursor) }
}

/** Reads the exact text of a value that was measured. */
export async function readValue(
  cursor: DocumentCursor,
  { mark, length }: ValuePlace,
): Promise<Uint8Array> {
  jump(cursor, mark)
  const text = new Uint8Array(length)
  const start = positionOf(cursor)
  while (positionOf(cursor) < start + length) {
    if (cursor.at >= cursor.window.length) await openNextWindow(cursor)
    const filled = positionOf(cursor) - start
    const piece = cursor.window.subarray(cursor.at, cursor.at + length - filled)
    text.set(piece, filled)
    cursor.at += piece.length
  }
  return text
}
