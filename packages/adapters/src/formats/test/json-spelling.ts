import fc, { type Arbitrary } from 'fast-check'

/** A piece of a text, and whether it is a planted secret. */
export type Piece = { readonly text: string; readonly isSecret: boolean }

export const plain = (text: string): Piece => ({ text, isSecret: false })
export const secret = (text: string): Piece => ({ text, isSecret: true })

/** Writes a character of a JSON string in one of the ways that JSON allows. */
export type Spelling = (character: string) => string

/** Escapes a character in hexadecimal, both halves of a surrogate pair. */
const hex = (character: string, isUpper: boolean) =>
  character
    .split('')
    .map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
    .map((digits) => `\\u${isUpper ? digits.toUpperCase() : digits}`)
    .join('')

const mustEscape = /["\\]|\p{Cc}/u
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Generates spellings that escape characters in a repeating pattern. */
export const arbitrarySpelling: Arbitrary<() => Spelling> = fc
  .array(fc.constantFrom('plain', 'plain', 'plain', 'short', 'lower', 'upper'), {
    minLength: 1,
    maxLength: 7,
  })
  .map((ways) => () => {
    let nth = 0
    return (character) => spell(character, ways[nth++ % ways.length] ?? 'plain')
  })

function spell(character: string, way: string): string {
  if (way === 'lower' || way === 'upper') return hex(character, way === 'upper')
  if (way === 'short' && character in shortEscapes) return shortEscapes[character] ?? character
  if (!mustEscape.test(character)) return character
  return shortEscapes[character] ?? hex(character, false)
}

/** Quotes pieces as one JSON string. */
export function quote(pieces: readonly Piece[], write: Spelling): readonly Piece[] {
  const inside = pieces.map(({ text, isSecret }) => ({
    isSecret,
    text: [...text].map(write).join(''),
  }))
  return [plain('"'), ...inside, plain('"')]
}

/** Joins the text of pieces; `redactedOf` puts a mark in place of each secret. */
export const textOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('')
export const redactedOf = (pieces: readonly Piece[]) =>
  pieces.map(({ text, isSecret }) => (isSecret ? '#' : text)).join('')
