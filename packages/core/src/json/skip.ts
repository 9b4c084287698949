import {
  type DocumentCursor,
  isLastWindow,
  openNextWindow,
  peek,
  positionOf,
  skipBefore,
} from './document-cursor.ts'
import { afterRun, afterString, plain, type Segment, steps, tableOf } from './segments.ts'

export const quote = 0x22
export const comma = 0x2c
export const braceOpen = 0x7b
export const bracketOpen = 0x5b

/** The bytes of numbers and of true, false and null. */
const isLiteral = tableOf((byte) => /[-+.0-9A-Za-z]/.test(String.fromCharCode(byte)))

/** Returns whether a byte opens an object or an array. */
export function opens(byte: number): boolean {
  return steps[byte] === 1
}

/** Returns whether a byte closes an object or an array. */
export function closes(byte: number): boolean {
  return steps[byte] === -1
}

/** Enters the object or array at the cursor; returns whether it has members. */
export async function enter(cursor: DocumentCursor): Promise<boolean> {
  cursor.at++
  cursor.depth++
  return !closes(await peek(cursor))
}

/** Leaves an object or array at its closing bracket. */
export function leave(cursor: DocumentCursor): void {
  cursor.at++
  cursor.depth--
}

/** Skips the value at the cursor, and returns its length in bytes. */
export async function skipValue(cursor: DocumentCursor): Promise<number> {
  const byte = await peek(cursor)
  const start = positionOf(cursor)
  if (opens(byte)) await skipContainer(cursor)
  else if (byte === quote) await skipString(cursor)
  else await skipLiteral(cursor)
  return positionOf(cursor) - start
}

async function skipContainer(cursor: DocumentCursor): Promise<void> {
  if (await enter(cursor)) await skipCommas(cursor, Number.POSITIVE_INFINITY)
  leave(cursor)
}

async function skipLiteral(cursor: DocumentCursor): Promise<void> {
  for (;;) {
    cursor.at = afterRun(cursor.window, cursor.at, isLiteral)
    if (cursor.at < cursor.window.length) return
    await openNextWindow(cursor)
  }
}

/** The state of a scan for commas at one level. */
type Scan = {
  readonly level: number
  readonly needed: number
  commas: number
  depth: number
  inString: boolean
}

/**
 * Skips to the comma with this number, from 1 on, or to the closing bracket of the object or array
 * around the cursor, and stops there. Opens no segment that the survey tells enough about. Returns
 * the number of commas until then.
 */
export async function skipCommas(cursor: DocumentCursor, needed: number): Promise<number> {
  if (needed === 0) return 0
  const { depth } = cursor
  const scan = { level: depth, needed, commas: 0, depth, inString: false }
  while (!scanWindow(cursor, scan)) {
    skipSegments(cursor, scan)
    await openNextWindow(cursor)
  }
  return scan.commas
}

function scanWindow(cursor: DocumentCursor, scan: Scan): boolean {
  const { window } = cursor
  let at = scan.inString ? afterString(window, cursor.at) : cursor.at
  at = afterRun(window, at, plain)
  while (at < window.length) {
    const byte = window[at] as number
    if (byte === quote) at = afterString(window, at + 1)
    else if (isEnd(scan, byte)) {
      cursor.at = at
      return true
    } else at++
    at = afterRun(window, at, plain)
  }
  scan.inString = at > window.length
  cursor.at = scan.inString ? at - 1 : at
  return false
}

function isEnd(scan: Scan, byte: number): boolean {
  if (scan.depth !== scan.level || opens(byte)) {
    scan.depth += steps[byte] as number
    return false
  }
  if (byte === comma) scan.commas++
  return byte !== comma || scan.commas === scan.needed
}

function skipSegments(cursor: DocumentCursor, scan: Scan): void {
  if (!isLastWindow(cursor)) return
  const { segments } = cursor
  let index = cursor.segment + 1
  // The last segment holds the end of the document, so it is opened anyway.
  while (index + 1 < segments.length && canSkip(segments[index] as Segment, scan)) index++
  if (index === cursor.segment + 1) return
  skipBefore(cursor, index)
  const { from } = segments[index] as Segment
  scan.inString = from.inString
  scan.depth = from.depth
}

function canSkip({ survey }: Segment, scan: Scan): boolean {
  if (survey.leastDepth > scan.level) return true
  if (survey.leastDepth < scan.level) return false
  if (scan.commas + survey.separators >= scan.needed) return false
  scan.commas += survey.separators
  return true
}

/** Skips the string value at the cursor; not the name of a member. */
async function skipString(cursor: DocumentCursor): Promise<void> {
  const { depth } = cursor
  cursor.at++
  for (;;) {
    const at = afterString(cursor.window, cursor.at)
    const isCut = at > cursor.window.length
    cursor.at = isCut ? at - 1 : at
    if (!isCut) return
    skipInside(cursor, depth)
    await openNextWindow(cursor)
  }
}

/** Skips the segments that are inside one string: a comma or a bracket would follow its end. */
function skipInside(cursor: DocumentCursor, depth: number): void {
  if (!isLastWindow(cursor)) return
  const { segments } = cursor
  let index = cursor.segment + 1
  while (isInside(segments[index], segments[index + 1], depth)) index++
  if (index > cursor.segment + 1) skipBefore(cursor, index)
}

function isInside(segment: Segment | undefined, next: Segment | undefined, depth: number): boolean {
  if (segment === undefined || next === undefined) return false
  const { leastDepth, separators } = segment.survey
  return leastDepth === depth && separators === 0 && next.from.inString && next.from.depth === depth
}
