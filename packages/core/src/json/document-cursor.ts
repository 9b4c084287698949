import { Failure } from '../failure.ts'
import { afterRun, type DocumentReader, type Segment, tableOf } from './segments.ts'

/** Runs before bytes of a document are read or scanned; may wait, and may throw to stop. */
export type Pace = (bytes: number) => Promise<void>

/** A position in a document, outside strings, with the bytes around it. */
export type DocumentCursor = {
  readonly reader: DocumentReader
  readonly segments: readonly Segment[]
  readonly pace: Pace
  /** The index of the segment that is open. */
  segment: number
  bytes: Uint8Array
  /** The part of the open segment that is scanned at once. */
  window: Uint8Array
  /** The position of the first byte of the window in the document. */
  start: number
  /** The index of the next byte in the window; one too many after an escape that the window cuts. */
  at: number
  /** The number of objects and arrays around the position. */
  depth: number
}

/** The most bytes that are scanned before other work has its turn. */
const windowBytes = 65_536

const nothing = new Uint8Array()
const isSpace = tableOf((byte) => ' \t\n\r'.includes(String.fromCharCode(byte)))

/** Returns a cursor before the first byte of a document. */
export async function openCursor(reader: DocumentReader, pace: Pace): Promise<DocumentCursor> {
  const segments = await reader.segments()
  const open = { segment: -1, bytes: nothing, window: nothing, start: 0, at: 0, depth: 0 }
  return { reader, segments, pace, ...open }
}

/** Returns the position of the cursor in the document, in bytes. */
export function positionOf({ start, at }: DocumentCursor): number {
  return start + at
}

/** Returns the position, to return to it with `jump`. */
export function markOf(cursor: DocumentCursor): Readonly<DocumentCursor> {
  return { ...cursor }
}

/** Moves a cursor to a position that it had before. */
export function jump(cursor: DocumentCursor, mark: Readonly<DocumentCursor>): void {
  Object.assign(cursor, mark)
}

/** Returns whether the window ends where the open segment ends. */
export function isLastWindow({ segments, segment, start, window }: DocumentCursor): boolean {
  const open = segments[segment]
  return open === undefined || start + window.length >= open.offset + open.length
}

/** Continues before the segment with this index, without opening those in between. */
export function skipBefore(cursor: DocumentCursor, index: number): void {
  const next = cursor.segments[index] as Segment
  cursor.segment = index - 1
  cursor.bytes = nothing
  cursor.window = nothing
  cursor.start = next.offset
  cursor.at = next.from.escaped ? 1 : 0
}

/**
 * Opens the next window.
 *
 * @throws `bundle/unreadable` at the end of the document, and what the reader throws
 */
export async function openNextWindow(cursor: DocumentCursor): Promise<void> {
  const over = cursor.at - cursor.window.length
  cursor.start += cursor.window.length
  if (isLastWindow({ ...cursor, window: nothing })) await openNextSegment(cursor)
  const from = cursor.start - (cursor.segments[cursor.segment] as Segment).offset
  cursor.window = cursor.bytes.subarray(from, from + windowBytes)
  cursor.at = over
  await cursor.pace(cursor.window.length)
}

async function openNextSegment(cursor: DocumentCursor): Promise<void> {
  const index = cursor.segment + 1
  if (cursor.segments[index] === undefined) throw endsEarly()
  cursor.bytes = await cursor.reader.read(index)
  cursor.segment = index
}

/** Returns the failure of a document that ends where a value should go on. */
function endsEarly(): Failure {
  return new Failure('bundle/unreadable', { problem: 'its text ends inside a value' })
}

/** Skips white space, and returns the next byte without consuming it. */
export async function peek(cursor: DocumentCursor): Promise<number> {
  for (;;) {
    cursor.at = afterRun(cursor.window, cursor.at, isSpace)
    const byte = cursor.window[cursor.at]
    if (byte !== undefined) return byte
    await openNextWindow(cursor)
  }
}
