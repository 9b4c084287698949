import { byteFilter } from './byte-filter.ts'
import { type DocumentCursor, openNextWindow } from './document-cursor.ts'
import { decodeName, type NameText, nameCollector } from './member-name.ts'
import { printPointer } from './pointer.ts'
import { type Frame, goTo, printSearchPlace, type SearchPlace } from './search-cursor.ts'
import { afterRun, afterString, plain } from './segments.ts'
import { braceOpen, closes, comma, opens, quote } from './skip.ts'
import {
  foldText,
  placeMatcher,
  type TextMatch,
  type TextMatcher,
  textMatcher,
} from './text-matcher.ts'

/** A place in a document where a text occurs. */
export type DocumentMatch = TextMatch & {
  /** The JSON Pointer of the value; absent when it would be longer than 4,096 characters. */
  readonly pointer?: string
  /** Whether the text occurs in the name of the member or in the value, a string. */
  readonly in: 'name' | 'value'
}

/** The extent of one search. */
export type SearchBounds = {
  /** The most matches. */
  readonly limit: number
  /**
   * The kind of a match: each occurrence of the text when absent; or a place, which is a string value
   * with the text, or a member whose name is the text, outside of lists and not of the document itself.
   */
  readonly each?: 'place' | undefined
  /** The number of bytes, by the time that they take, after which the search stops before the next member. */
  readonly mostBytes: number
}

/** The result of a search. */
export type Found = {
  readonly matches: readonly DocumentMatch[]
  /** The place to go on from; absent at the end of the document. */
  readonly next?: string
}

type Search = {
  readonly cursor: DocumentCursor
  readonly frames: Frame[]
  readonly found: DocumentMatch[]
  readonly bounds: SearchBounds
  readonly mayOccurAt: (bytes: Uint8Array, start: number) => number
  readonly folded: string
  /** Whether the next string is the name of a member. */
  isName: boolean
  /** The window in which, and the place from which on, the text may occur next. */
  candidate: { window: Uint8Array | undefined; at: number }
  scanned: number
}

/**
 * Searches the names and the string values of a document for a text, whatever its case, in the order
 * of the document. The cursor is at the beginning of the document.
 *
 * @throws `part/malformed` for a place that the document does not have
 */
export async function searchDocument(
  cursor: DocumentCursor,
  text: string,
  { place, ...bounds }: SearchBounds & { readonly place: SearchPlace | undefined },
): Promise<Found> {
  const folded = foldText(text)
  const frames = place === undefined ? [] : await goTo(cursor, place)
  const search: Search = {
    cursor,
    frames,
    bounds,
    found: [],
    scanned: 0,
    isName: frames.at(-1)?.isObject ?? false,
    mayOccurAt: byteFilter(folded),
    folded,
    candidate: { window: undefined, at: 0 },
  }
  while (!(await searchWindow(search))) await openMore(search)
  return frames.length === 0
    ? { matches: search.found }
    : { matches: search.found, next: printSearchPlace(placeOf(search)) }
}

function placeOf({ frames }: Search): SearchPlace {
  const known = frames.at(-1)?.seen ?? 0
  return { ordinals: frames.map(({ index }) => index), known }
}

/** Searches to the end of the window, and returns whether the search is over. */
async function searchWindow(search: Search): Promise<boolean> {
  for (;;) {
    const byte = nextStructure(search.cursor)
    if (byte === undefined) return false
    if (!passByte(search, byte)) await searchCutString(search)
    if (isOver(search, byte)) return true
  }
}

/** Consumes the next byte that is more than part of a literal, if the window has one. */
function nextStructure(cursor: DocumentCursor): number | undefined {
  cursor.at = afterRun(cursor.window, cursor.at, plain)
  return cursor.at < cursor.window.length ? cursor.window[cursor.at++] : undefined
}

/** Returns whether the search is at its end, at its limit, or before a member beyond its bound. */
function isOver({ frames, found, bounds, scanned }: Search, byte: number): boolean {
  if (frames.length === 0 || found.length >= bounds.limit) return true
  return byte === comma && scanned >= bounds.mostBytes
}

/** Passes a comma, a bracket or a string; returns false before a string that the window cuts. */
function passByte(search: Search, byte: number): boolean {
  if (byte === quote) return searchString(search)
  const { frames } = search
  const isObject = byte === braceOpen
  if (opens(byte)) frames.push({ isObject, index: 0, name: undefined, seen: 0, known: 0 })
  else if (closes(byte)) frames.pop()
  else nextMember(frames.at(-1) as Frame)
  search.isName = byte === comma ? (frames.at(-1) as Frame).isObject : isObject
  return true
}

function nextMember(frame: Frame): void {
  frame.index++
  frame.seen = 0
  frame.known = 0
}

/**
 * Searches the string that begins at the cursor, and moves the cursor after it. Returns false when
 * the window ends before the string.
 */
function searchString(search: Search): boolean {
  const { cursor, isName } = search
  const { window, at: start } = cursor
  const end = afterString(window, start)
  if (end > window.length) return false
  cursor.at = end
  search.isName = false
  const frame = search.frames.at(-1) as Frame
  if (isName) frame.name = window.subarray(start - 1, end)
  if (!isCandidateIn(search, start, end)) return true
  search.scanned += decodingCost
  const matcher = newMatcher(search, isName)
  const matches = matcher.push(window.subarray(start, end - 1), true)
  addMatches(search, matches, isName)
  frame.seen += matcher.seen()
  return true
}

/** Returns a matcher of the next string of the current member. */
function newMatcher({ frames, folded, found, bounds }: Search, isName: boolean): TextMatcher {
  const frame = frames.at(-1) as Frame
  const known = frame.known > frame.seen ? frame.known - frame.seen : 0
  if (bounds.each === undefined) {
    return textMatcher(folded, { known, most: bounds.limit - found.length })
  }
  return placeMatcher(folded, { isKnown: known > 0, frames: isName ? frames : undefined })
}

/**
 * A string in which the text may occur is decoded, which takes at least as long as to pass this many
 * bytes: a memory of short strings with escapes must not take a request longer than another does.
 */
const decodingCost = 96

function isCandidateIn({ candidate, cursor, mayOccurAt }: Search, start: number, end: number) {
  if (candidate.window !== cursor.window || candidate.at < start) {
    candidate.window = cursor.window
    candidate.at = mayOccurAt(cursor.window, start)
  }
  return candidate.at < end
}

/**
 * Searches a string that windows cut, piece by piece, and moves the cursor after it. Stops inside a
 * value that has all matches that are needed.
 */
async function searchCutString(search: Search): Promise<void> {
  const { cursor, isName, frames } = search
  search.isName = false
  const frame = frames.at(-1) as Frame
  const matcher = newMatcher(search, isName)
  const most = search.bounds.limit - search.found.length
  const matches: TextMatch[] = []
  const name = nameCollector()
  name.add(cursor.window.subarray(cursor.at - 1, cursor.at))
  for (let isLast = false; !isLast; ) {
    const { piece, bytes } = stringPiece(cursor, await startOfPiece(search))
    isLast = piece.length < bytes.length
    name.add(bytes)
    matches.push(...matcher.push(piece, isLast))
    if (!isName && matches.length === most) break
  }
  if (isName) frame.name = name.name()
  addMatches(search, matches, isName)
  frame.seen += matcher.seen()
}

async function startOfPiece(search: Search): Promise<number> {
  const { cursor } = search
  if (cursor.at < cursor.window.length) return cursor.at
  await openMore(search)
  return 0
}

/**
 * Consumes what the window has of a string from `start` on: its bytes, and the piece without the
 * closing quote.
 */
function stringPiece(cursor: DocumentCursor, start: number) {
  const { window } = cursor
  const end = afterString(window, cursor.at)
  const isLast = end <= window.length
  cursor.at = isLast ? end : end - 1
  const bytes = window.subarray(start, end)
  return { bytes, piece: isLast ? bytes.subarray(0, -1) : bytes }
}

async function openMore(search: Search): Promise<void> {
  search.scanned += search.cursor.window.length
  await openNextWindow(search.cursor)
}

function addMatches(search: Search, matches: readonly TextMatch[], isName: boolean): void {
  const { frames, found } = search
  const place = matches.length === 0 ? {} : pointerOf(frames)
  found.push(
    ...matches.map((match) => ({
      ...place,
      in: isName ? ('name' as const) : ('value' as const),
      ...match,
    })),
  )
}

function pointerOf(frames: readonly Frame[]): { readonly pointer?: string } {
  const tokens: string[] = []
  for (const { isObject, index, name } of frames) {
    const token = isObject ? tokenOf(name) : String(index)
    if (token === undefined) return {}
    tokens.push(token)
  }
  const pointer = printPointer(tokens)
  return pointer === undefined ? {} : { pointer }
}

function tokenOf(name: NameText): string | undefined {
  return name && decodeName(name)
}
