import { type JsonText, parseJson } from './json.ts'
import { joined } from './member-name.ts'
import type { Frame } from './search-cursor.ts'
import { sequenceLength } from './utf8.ts'

/**
 * Folds the case of a text, and keeps its length in UTF-16 code units: each character becomes its
 * lower case where that has the same length and is ASCII only if the character was. So the Kelvin
 * sign is no k, and ASCII text is found by its bytes.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return Array.from(text, foldCharacter).join('')
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase()
  if (lower.length !== character.length) return character
  return isAscii(lower) && !isAscii(character) ? character : lower
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}

/** A place in one string where a text occurs, with its surroundings. */
export type TextMatch = {
  /** The place in the string, in UTF-16 code units. */
  readonly offset: number
  readonly before: string
  /** The text as the string has it, in its own case. */
  readonly match: string
  readonly after: string
}

/** The UTF-16 code units before and after a match that are returned with it. */
const surroundings = 60

const backslash = 0x5c
const quoteText = Uint8Array.of(0x22)
const nothing = new Uint8Array()

/** The matches of one string that are needed. */
export type MatchLimits = {
  /** The number of matches to pass over. */
  readonly known: number
  /** The most matches after those. */
  readonly most: number
}

/** Finds a text in one string that arrives in pieces. */
export type TextMatcher = {
  /** Takes the next piece of the string's JSON text, without quotes; returns its matches in order. */
  readonly push: (piece: Uint8Array, isLast: boolean) => readonly TextMatch[]
  /** Returns the number of matches until now, with those that were passed over. */
  readonly seen: () => number
}

/** Creates a matcher of one string for a folded text. */
export function textMatcher(folded: string, { known, most }: MatchLimits): TextMatcher {
  // The end of the last piece where it cuts a character, and the decoded text that a later match or
  // its surroundings may need.
  let cut: Uint8Array = nothing
  let retained: Retained = { text: '', offset: 0, searched: 0 }
  let seen = 0
  const push = (piece: Uint8Array, isLast: boolean): readonly TextMatch[] => {
    const bytes = joined([cut, piece], cut.length + piece.length)
    const end = isLast ? bytes.length : completeEnd(bytes)
    cut = bytes.slice(end)
    const text = retained.text + decode(bytes.subarray(0, end))
    const { starts, searched } = startsIn({ ...retained, text }, folded, isLast)
    const first = known > seen ? known - seen : 0
    const taken = starts.slice(first, first + known + most - (seen > known ? seen : known))
    seen += first < starts.length ? first + taken.length : starts.length
    const { offset } = retained
    const from = startOf(text, searched - surroundings)
    retained = { text: text.slice(from), offset: offset + from, searched: searched - from }
    return taken.map((at) => ({
      offset: offset + at,
      ...excerptOf(text, at, at + folded.length),
    }))
  }
  return { push, seen: () => seen }
}

type Retained = {
  readonly text: string
  /** The place of the text in the string. */
  readonly offset: number
  /** The place in the text where no match was looked for yet. */
  readonly searched: number
}

/** Returns the places of the matches whose surroundings are complete, and where to go on. */
function startsIn({ text, searched: from }: Retained, folded: string, isLast: boolean) {
  const haystack = foldText(text)
  const starts: number[] = []
  let searched = from
  for (;;) {
    const at = haystack.indexOf(folded, searched)
    const end = at + folded.length
    if (at < 0) break
    if (!isLast && end + surroundings > text.length) return { starts, searched: at }
    starts.push(at)
    searched = end
  }
  const unsearched = text.length - folded.length + 1
  if (unsearched > searched) searched = unsearched
  return { starts, searched }
}

function excerptOf(text: string, start: number, end: number): Omit<TextMatch, 'offset'> {
  return {
    before: text.slice(startOf(text, start - surroundings), start),
    match: text.slice(start, end),
    after: text.slice(end, endOf(text, end + surroundings)),
  }
}

// Many programs cannot read half of a surrogate pair.
function startOf(text: string, at: number): number {
  if (at <= 0) return 0
  return isSecondHalf(text, at) ? at + 1 : at
}

function endOf(text: string, at: number): number {
  return isSecondHalf(text, at) ? at - 1 : at
}

function isSecondHalf(text: string, at: number): boolean {
  return /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1))
}

function decode(bytes: Uint8Array): string {
  const text = joined([quoteText, bytes, quoteText], bytes.length + 2)
  return parseJson(text as JsonText) as string
}

/** Returns the end of the last whole escape or UTF-8 sequence of a cut JSON string. */
function completeEnd(bytes: Uint8Array): number {
  const { length } = bytes
  for (let at = length > 6 ? length - 6 : 0; at < length; at++) {
    if (at + lengthAt(bytes, at) > length) return at
  }
  return length
}

/** Returns the length of the escape or sequence that begins at `at`; 1 where none begins. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number
  if (byte === backslash && beginsEscape(bytes, at)) return bytes[at + 1] === 0x75 ? 6 : 2
  return byte < 0xc0 ? 1 : sequenceLength(byte)
}

function beginsEscape(bytes: Uint8Array, at: number): boolean {
  let first = at
  while (first > 0 && bytes[first - 1] === backslash) first--
  return (at - first) % 2 === 0
}

export declare namespace placeMatcher {
  type Input = {
    /** Whether an earlier answer returned this string. */
    readonly isKnown: boolean
    /** The objects and arrays around a name; absent for a value. */
    readonly frames: readonly Frame[] | undefined
  }
}

/** Creates a matcher of one string for a folded text, to which the string is one place or none. */
export function placeMatcher(folded: string, { isKnown, frames }: placeMatcher.Input): TextMatcher {
  const matcher = textMatcher(folded, { known: 0, most: 1 })
  const mayBePlace = frames === undefined || isChosenName(frames)
  let seen = 0
  return {
    push: (piece, isLast) => {
      if (!mayBePlace) return []
      const found = matcher.push(piece, isLast)
      const places = frames === undefined ? found : found.filter(isWhole)
      seen += places.length
      return isKnown ? [] : places
    },
    seen: () => seen,
  }
}

/** Returns whether the writer of a memory chose a name: those of the document and of its lists are structure. */
const isChosenName = (frames: readonly Frame[]): boolean =>
  frames.length > 1 && frames.every(({ isObject }) => isObject)

const isWhole = ({ before, after }: { readonly before: string; readonly after: string }) =>
  before === '' && after === ''
