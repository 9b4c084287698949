import fc, { type Arbitrary } from 'fast-check'

/** A piece of a text, and whether it is a secret that was planted. */
export type Piece = { readonly text: string; readonly isSecret: boolean }

export const plain = (text: string): Piece => ({ text, isSecret: false })
export const secret = (text: string): Piece => ({ text, isSecret: true })

/** Spells a character of a JSON string in one of the ways that JSON allows. */
export type Spelling = (character: string) => string

/** Both halves of a pair are escaped, or none: half of one can only be spelled as an escape. */
const hex = (character: string, isUpper: boolean) =>
  character
    .split('')
    .map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
    .map((digits) => `\\u${isUpper ? digits.toUpperCase() : digits}`)
    .join('')

const mustEscape = /["\\]|\p{Cc}/u
const shortly: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Ways to spell: which characters are escaped goes by a pattern that repeats. */
export const arbitrarySpelling: Arbitrary<() => Spelling> = fc
  .array(fc.constantFrom('plain', 'plain', 'plain', 'short', 'lower', 'upper'), {
    minLength: 1,
    maxLength: 7,
  })
  .map((ways) => () => {
    let nth = 0
    return (character) => spelled(character, ways[nth++ % ways.length] ?? 'plain')
  })

function spelled(character: string, way: string): string {
  if (way === 'lower' || way === 'upper') return hex(character, way === 'upper')
  if (way === 'short' && character in shortly) return shortly[character] ?? character
  if (!mustEscape.test(character)) return character
  return shortly[character] ?? hex(character, false)
}

/** Returns pieces as a JSON string of them. */
export function quoted(pieces: readonly Piece[], spell: Spelling): readonly Piece[] {
  const inside = pieces.map(({ text, isSecret }) => ({
    isSecret,
    text: [...text].map(spell).join(''),
  }))
  return [plain('"'), ...inside, plain('"')]
}

/** The text of pieces, and what is to be left of it: a mark in place of each secret. */
export const textOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('')
export const marked = (pieces: readonly Piece[]) =>
  pieces.map(({ text, isSecret }) => (isSecret ? '#' : text)).join('')
