import { decodeInvisible } from './decode-invisible.ts'
import type { Match } from './finding.ts'
import type { FindingKind } from './finding-kinds.ts'
import { mixedWords } from './look-alikes.ts'
import { neededPositions } from './needed-characters.ts'
import { findTerminalEscapes } from './terminal-escapes.ts'

/** Finds characters that nothing shows, or that show a text as another. */
export function findHidden(text: string): readonly Match[] {
  if (/^[\t\n\r -~]*$/.test(text)) return []
  return [...findRuns(text), ...findTerminalEscapes(text), ...findMixedWords(text)]
}

/** Describes what begins an escape of a terminal. */
const escapes = '\\u001b\\u009b'

/** Characters without a shape of their own, but white space and what begins a terminal escape. */
const runs = new RegExp(
  `(?:(?![\\t\\n\\r${escapes}])[\\p{Cc}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u{fff9}-\\u{fffc}]){1,2048}`,
  'gu',
)

const rightToLeft = /[\u0590-\u08ff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

function findRuns(text: string): readonly Match[] {
  const needed = neededPositions(text)
  const isRightToLeft = rightToLeft.test(text)
  return [...text.matchAll(runs)].flatMap(({ 0: run, index: start }) => {
    const end = start + run.length
    const hidden = withoutNeeded(run, start, needed)
    const kind = kindOf(hidden, { isRightToLeft, isInWord: isInWord(text, start, end) })
    if (kind === undefined) return []
    const says = kind === 'hidden/message' ? decodeInvisible(run) : undefined
    return [{ kind, start, end, ...(says !== undefined && { says }) }]
  })
}

function withoutNeeded(run: string, start: number, needed: ReadonlySet<number>): string {
  if (needed.size === 0) return run
  let at = start
  return Array.from(run, (character) => {
    const isNeeded = needed.has(at)
    at += character.length
    return isNeeded ? '' : character
  }).join('')
}

type Around = { readonly isRightToLeft: boolean; readonly isInWord: boolean }

const zeroWidth = '\\u200b-\\u200d\\u2060-\\u2064\\ufeff\\u180e'
/** Tags, two variation selectors, or many zero-width characters, which write bits. */
const carriers = new RegExp(
  `[\\u{e0000}-\\u{e007f}]|(?!\\ufe0f{2})\\p{Variation_Selector}{2}|[${zeroWidth}\\u00ad]{8}`,
  'u',
)
const splitting = new RegExp(`[${zeroWidth}\\u{34f}\\p{Cc}]`, 'u')

/** Describes what a run of hidden characters is, in the order in which it is tried. */
const tests: readonly (readonly [
  FindingKind | undefined,
  (hidden: string, around: Around) => boolean,
])[] = [
  [undefined, (hidden) => hidden === ''],
  ['hidden/message', (hidden) => carriers.test(hidden)],
  ['hidden/bidi', (hidden) => /[\u202d\u202e]/.test(hidden)],
  // Scripts that are written from right to left need the other marks of direction.
  [
    undefined,
    (hidden, it) =>
      it.isRightToLeft && /^[\u202a-\u202c\u2066-\u2069\u200e\u200f\u061c]+$/.test(hidden),
  ],
  ['hidden/bidi', (hidden) => /[\u202a-\u202c\u2066-\u2069]/.test(hidden)],
  ['hidden/split-word', (hidden, it) => it.isInWord && splitting.test(hidden)],
  ['hidden/control', (hidden) => /^\p{Cc}+$/u.test(hidden)],
]

function kindOf(hidden: string, around: Around): FindingKind | undefined {
  const found = tests.find(([, isSo]) => isSo(hidden, around))
  return found === undefined ? 'hidden/character' : found[0]
}

const isInWord = (text: string, start: number, end: number): boolean =>
  /^[a-z]{2}$/i.test(`${text.charAt(start - 1)}${text.charAt(end)}`)

const findMixedWords = (text: string): readonly Match[] =>
  mixedWords(text).map(({ start, end }) => ({ kind: 'hidden/homoglyph', start, end }))
