import { findEncodedTexts } from './encoded-texts.ts'
import { findHidden } from './find-hidden.ts'
import { findInstructions } from './find-instructions.ts'
import { findLinks } from './find-links.ts'
import { findMarkers } from './find-markers.ts'
import type { Match } from './finding.ts'
import { isHeld } from './finding-kinds.ts'
import { findJsonStrings } from './json-strings.ts'

/** The length of a window of a long string, and what of its neighbours each window sees. */
const windowLength = 2 ** 16
const behind = 256
const ahead = 2 ** 13

/** The most encodings within each other that are decoded. */
const deepest = 4

/**
 * Finds what could mislead or steer the reader of a string. A long string is read in windows that
 * overlap, at the same places however the caller pauses; `undefined` is the end of a window.
 */
export function* scanString(text: string, depth = 0): Generator<Match | undefined> {
  if (depth === 0) yield* scanJson(text)
  yield* scanFrom(text, 0, depth)
  for (let start = windowLength; start < text.length; start += windowLength) {
    yield undefined
    yield* scanFrom(text, start, depth)
  }
}

/** Scans one window: it reports what begins there, and sees what goes on behind it. */
function* scanFrom(text: string, start: number, depth: number): Generator<Match> {
  const from = Math.max(0, start - behind)
  const end = start + windowLength
  for (const match of scanWindow(text.slice(from, end + ahead), depth)) {
    const at = from + match.start
    if (at >= start && at < end) yield { ...match, start: at, end: from + match.end }
  }
}

function* scanWindow(text: string, depth: number): Generator<Match> {
  yield* findInstructions(text)
  yield* findHidden(text)
  yield* findLinks(text)
  yield* findMarkers(text)
  if (depth < deepest) yield* scanEncoded(text, depth)
}

function* scanEncoded(text: string, depth: number): Generator<Match> {
  for (const { start, end, text: decoded, via } of findEncodedTexts(text)) {
    const inside = firstHeld(decoded, depth + 1)
    if (inside === undefined) continue
    const says = decoded.slice(inside.start, inside.end)
    const path = [via, ...(inside.via ?? [])]
    yield { kind: 'encoded/text', start, end, via: path, says: inside.says ?? says }
  }
}

function firstHeld(text: string, depth: number): Match | undefined {
  for (const match of scanString(text, depth))
    if (match !== undefined && isHeld(match.kind)) return match
  return undefined
}

/** Scans the strings of JSON in a string, whose escapes would hide what they say. */
function* scanJson(text: string): Generator<Match> {
  for (const { start, end, text: inner, depth } of findJsonStrings(text)) {
    const match = firstHeld(inner, 1)
    if (match === undefined) continue
    const says = match.says ?? inner.slice(match.start, match.end)
    const via = [...Array.from({ length: depth }, () => 'json' as const), ...(match.via ?? [])]
    yield { kind: match.kind, start, end, via, says }
  }
}
