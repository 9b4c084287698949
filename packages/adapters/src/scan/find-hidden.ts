import type { FindingKind, Match } from './finding.ts'
import { mixedWords } from './fold.ts'

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

const intermediate = '[0-?]{0,32}[ -/]{0,4}[@-~]'

/** Control sequences of terminals (ECMA-48), and strings of an operating system command. */
const sequences = new RegExp(
  `\\u001b(?:\\[${intermediate}|\\][^\\u0007\\u001b]{0,400}(?:\\u0007|\\u001b\\\\)?|[PX^_][^\\u001b]{0,400}|[ -Z\`-~])?|\\u009b(?:${intermediate})?`,
  'g',
)

const styles = /^\p{Cc}\[?([\d;:]*)m$/u

/** Finds escapes of terminals. */
const findTerminalEscapes = (text: string): readonly Match[] =>
  [...text.matchAll(sequences)].map(({ 0: found, index }) => ({
    kind: isColour(found) ? 'hidden/control' : 'hidden/escape',
    start: index,
    end: index + found.length,
  }))

/** Returns whether an escape only sets a colour or a style, and does not conceal what follows. */
function isColour(found: string): boolean {
  const [, parameters] = styles.exec(found) ?? []
  if (parameters === undefined) return false
  const plain = parameters.replaceAll(/[34]8[;:](?:5[;:]\d+|2(?:[;:]\d+){3})/g, '')
  return !plain.split(/[;:]/).some((it) => Number(it) === 8)
}

const scripts = (...names: readonly string[]) =>
  `[${names.map((name) => `\\p{Script=${name}}`).join('')}]`

const joined = scripts(
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Adlam', 'Hanifi_Rohingya', 'Devanagari'],
  ...['Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
)

const unspaced = scripts('Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Tai_Tham')

const picture = '\\p{Extended_Pictographic}'

/**
 * Characters that a script or an emoji needs (UAX #31, UTS #51): joiners, breaks of lines, variants
 * of a character, and the tags of a flag.
 */
const needed = new RegExp(
  [
    `(?<=${joined})[\\u200c\\u200d]`,
    `(?<=${unspaced})\\u200b`,
    '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
    `(?<=[${picture}\\d#*©®\\p{S}])[\\ufe0e\\ufe0f](?![\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])`,
    `(?<=(?:${picture}|\\p{Emoji_Modifier})\\ufe0f?)\\u200d(?=${picture})`,
    '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}](?![\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])',
    '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}',
  ].join('|'),
  'gu',
)

/** Returns the positions of characters without a shape of their own that a text needs. */
function neededPositions(text: string): ReadonlySet<number> {
  const found = [...text.matchAll(needed)].flatMap(({ 0: match, index }) =>
    // A tag is a pair of surrogates.
    Array.from(match, (_, nth) => index + (match.length > 1 ? 2 * nth : nth)),
  )
  return new Set(found)
}

/** Decodes what invisible characters write: Unicode tags, variation selectors, or bits. */
function decodeInvisible(run: string): string | undefined {
  const codes = Array.from(run, (character) => character.codePointAt(0) ?? 0)
  const decoded = [fromTags(codes), fromSelectors(codes), fromBits(codes)]
  return decoded.find((it) => it !== undefined && /^[\t\n\r\P{C}]{2,}$/u.test(it))
}

function fromTags(codes: readonly number[]): string | undefined {
  const tags = codes.filter((code) => code >= 0xe0020 && code < 0xe007f)
  return tags.length === 0 ? undefined : String.fromCharCode(...tags.map((it) => it - 0xe0000))
}

function fromSelectors(codes: readonly number[]): string | undefined {
  const bytes = codes.flatMap((code) => {
    if (code >= 0xfe00 && code <= 0xfe0f) return [code - 0xfe00]
    return code >= 0xe0100 && code <= 0xe01ef ? [code - 0xe0100 + 16] : []
  })
  return bytes.length === 0 ? undefined : decodeBytes(bytes)
}

/** Decodes two kinds of zero-width characters as the bits of bytes. */
function fromBits(codes: readonly number[]): string | undefined {
  const kinds = [...new Set(codes)].toSorted((one, other) => one - other)
  if (kinds.length !== 2 || codes.length < 16) return undefined
  const bits = codes.map((code) => kinds.indexOf(code)).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return decodeBytes(bytes)
}

function decodeBytes(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}
