import { Failure, isFailure } from '../failure.ts'
import { type DocumentCursor, jump, markOf, peek, positionOf } from './document-cursor.ts'
import { locate, measureValue, readValue } from './locate.ts'
import { joined } from './member-name.ts'
import {
  type ItemRange,
  needsLength,
  type PathQuery,
  type PathRest,
  rangeOf,
  type SelectBounds,
  type Selected,
  type SelectedValue,
  within,
} from './path-query.ts'
import { printPointer } from './pointer.ts'
import { braceOpen, bracketOpen, enter, skipCommas } from './skip.ts'
import { decodeUtf8 } from './utf8.ts'

/** A value that a path selects in a document. */
export type Match = Omit<SelectedValue, 'tokens'> & {
  /** The JSON Pointer of the value; absent when it would be longer than 4,096 characters. */
  readonly pointer?: string
}

/** The matches of a path in a memory, in the order of the document. */
export type Matches = {
  readonly matches: readonly Match[]
  /** The place to go on from; absent at the end. There may be a `next` without any match. */
  readonly next?: string
}

/** The extent of the matches of one answer. */
export type MatchBounds = {
  /** The most matches. */
  readonly limit: number
  /** The most bytes of the texts of the matches. */
  readonly room: number
  /** The bytes of an array that are evaluated at once, where no item is longer. */
  readonly stretchBytes: number
  /** The most bytes that are evaluated. */
  readonly mostBytes: number
  /** `next` of an earlier answer. */
  readonly after?: string | undefined
  /** Runs before bytes of the document are held in memory; may throw to refuse. */
  readonly beforeReading?: ((bytes: number) => Promise<void>) | undefined
}

/** The place in a list of matches: an item, and the matches in it that an answer returned. */
type Place = { readonly at: number; readonly known: number }

/**
 * Selects the values of a document by a JSONPath. Reads the value at the singular beginning of the
 * path; of an array whose items the next selector looks at one by one, only those items, in
 * stretches.
 *
 * @throws `part/malformed` for a place, `part/too-costly`
 */
export async function selectValues(
  cursor: DocumentCursor,
  query: PathQuery,
  bounds: MatchBounds,
): Promise<Matches> {
  const place = parsePlace(bounds.after)
  const { prefix, rest } = query
  if (!(await follow(cursor, prefix))) return { matches: [] }
  if (rest === undefined) return selectOnly(cursor, prefix, { ...bounds, place })
  const isArray = (await peek(cursor)) === bracketOpen
  if (rest.needsArray && !isArray) return { matches: [] }
  const select = rest.items !== undefined && isArray ? selectItems : selectWhole
  return select(cursor, { prefix, rest }, { ...bounds, place })
}

type Bounds = MatchBounds & { readonly place: Place }
type SeveralQuery = Pick<PathQuery, 'prefix'> & { readonly rest: PathRest }

/** Moves a cursor to the value at a path; returns whether there is one. */
async function follow(cursor: DocumentCursor, prefix: PathQuery['prefix']): Promise<boolean> {
  await peek(cursor)
  for (const token of prefix) {
    const kind = typeof token === 'number' ? bracketOpen : braceOpen
    if ((await peek(cursor)) !== kind || !(await descend(cursor, `${token}`))) return false
  }
  return true
}

async function descend(cursor: DocumentCursor, token: string): Promise<boolean> {
  try {
    await locate(cursor, [token])
    return true
  } catch (error) {
    if (isFailure(error, 'part/not-found')) return false
    throw error
  }
}

async function selectOnly(
  cursor: DocumentCursor,
  prefix: PathQuery['prefix'],
  { place, room, beforeReading }: Bounds,
): Promise<Matches> {
  if (place.at + place.known > 0) return { matches: [] }
  const value = await measureValue(cursor)
  const match = { tokens: [], bytes: value.length }
  if (value.length > room) return answerOf(prefix, [match])
  await beforeReading?.(value.length)
  return answerOf(prefix, [{ ...match, text: decodeUtf8(await readValue(cursor, value)) }])
}

async function selectWhole(
  cursor: DocumentCursor,
  { prefix, rest }: SeveralQuery,
  { place, limit, room, mostBytes, beforeReading }: Bounds,
): Promise<Matches> {
  const value = await measureValue(cursor)
  if (value.length > mostBytes) throw tooLong(prefix, mostBytes)
  await beforeReading?.(value.length)
  const bytes = await readValue(cursor, value)
  const bounds = { known: place.known, limit, room, longest: room }
  const { values, next } = await rest.select({ bytes }, bounds)
  return answerOf(prefix, values, next)
}

async function selectItems(
  cursor: DocumentCursor,
  query: SeveralQuery,
  { place, mostBytes, stretchBytes, limit, room: longest, beforeReading }: Bounds,
): Promise<Matches> {
  const range = await rangeIn(cursor, query.rest)
  let at: Place | undefined = place.at > range.first ? place : { ...place, at: range.first }
  if (at.at >= range.end || !(await goToItem(cursor, at.at))) return { matches: [] }
  await beforeReading?.(mostBytes)
  const sizes = { stretchBytes, mostBytes, left: mostBytes }
  const reading = { cursor, query, range, ...sizes, ahead: nothing }
  const values: SelectedValue[] = []
  let room = longest
  while (at !== undefined && reading.left > 0 && values.length < limit) {
    const bounds = { known: at.known, limit: limit - values.length, room, longest }
    const selected = await selectStretch(reading, at.at, bounds)
    values.push(...selected.values)
    room -= selected.values.reduce((sum, it) => sum + (it.text === undefined ? 0 : it.bytes), 0)
    if (selected.next !== undefined) return answerOf(query.prefix, values, selected.next)
    at = selected.rest && { at: selected.rest.at, known: 0 }
  }
  return answerOf(query.prefix, values, at)
}

/** Returns the items that a path looks at, of the array at the cursor; does not move the cursor. */
async function rangeIn(cursor: DocumentCursor, { items }: PathRest): Promise<ItemRange> {
  const slice = items ?? { step: 1 }
  if (!needsLength(slice)) return rangeOf(slice, Number.MAX_SAFE_INTEGER)
  const mark = markOf(cursor)
  const hasItems = await enter(cursor)
  const length = hasItems ? (await skipCommas(cursor, Number.POSITIVE_INFINITY)) + 1 : 0
  jump(cursor, mark)
  return rangeOf(slice, length)
}

async function goToItem(cursor: DocumentCursor, index: number): Promise<boolean> {
  if (!(await enter(cursor)) || (await skipCommas(cursor, index)) < index) return false
  if (index > 0) cursor.at++
  await peek(cursor)
  return true
}

const nothing = new Uint8Array()

/** The state of reading the items of an array. */
type Reading = {
  readonly cursor: DocumentCursor
  readonly query: SeveralQuery
  readonly range: ItemRange
  readonly stretchBytes: number
  readonly mostBytes: number
  /** The bytes before the cursor that were not evaluated yet, from the beginning of an item on. */
  ahead: Uint8Array
  /** The bytes that may still be evaluated. */
  left: number
}

/** Evaluates the items from `at` on that fit in a stretch, at least one. */
async function selectStretch(
  reading: Reading,
  at: number,
  bounds: SelectBounds,
): Promise<Selected> {
  const { query, range, left, stretchBytes, mostBytes } = reading
  const items = { ...range, at }
  for (const size of left > stretchBytes ? [stretchBytes, left] : [left]) {
    const bytes = await readAhead(reading, size)
    const selected = await query.rest.select({ bytes, items }, bounds)
    const { rest, next } = selected
    if (rest?.at === at && next === undefined) continue
    reading.ahead = bytes.subarray(rest?.offset ?? bytes.length)
    reading.left -= bytes.length - reading.ahead.length
    return selected
  }
  // The next answer begins at this item, and has more room for it.
  if (left === mostBytes) throw tooLong([...query.prefix, at], mostBytes)
  reading.left = 0
  return { values: [], rest: { at, offset: 0 } }
}

async function readAhead(reading: Reading, size: number): Promise<Uint8Array> {
  const { cursor, ahead } = reading
  const beyond = cursor.reader.length - positionOf(cursor)
  const length = within(size - ahead.length, 0, beyond)
  const more = await readValue(cursor, { mark: markOf(cursor), length })
  reading.ahead = joined([ahead, more], ahead.length + more.length)
  return reading.ahead
}

function answerOf(
  prefix: PathQuery['prefix'],
  values: readonly SelectedValue[],
  next?: Place,
): Matches {
  const above = prefix.map(String)
  const matches = values.map(({ tokens, ...value }) => {
    const pointer = tokens && printPointer([...above, ...tokens])
    return pointer === undefined ? value : { pointer, ...value }
  })
  return next === undefined ? { matches } : { matches, next: `${next.at}~${next.known}` }
}

function parsePlace(text: string | undefined): Place {
  if (text === undefined) return { at: 0, known: 0 }
  if (!/^\d{1,9}~\d{1,9}$/.test(text)) {
    const problem = 'it is not the `next` of an answer to this path'
    throw new Failure('part/malformed', { what: 'cursor', problem })
  }
  const [at, known] = text.split('~')
  return { at: Number(at), known: Number(known) }
}

function tooLong(tokens: PathQuery['prefix'], mostBytes: number): Failure {
  const pointer = printPointer(tokens.map(String))
  const what = pointer === undefined ? 'a value' : pointer === '' ? 'the document' : pointer
  return new Failure('part/too-costly', {
    problem: `it must look at all of ${what}, which is longer than ${mostBytes} bytes`,
  })
}
