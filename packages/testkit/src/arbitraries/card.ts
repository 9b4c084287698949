import type { Card, CardBlock } from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import { arbitraryHash } from './values.ts'

/** Characters that a card may not contain, and combining marks, of which few are allowed. */
const misleading =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{M}\p{Co}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFC}\u{13430}-\u{1343F}\u{13441}\u{13442}\u{16FE4}\u{1D159}\u{2800}]/gu

/** Sequences that need an invisible character. */
const joined = ['\u{1F9D1}\u200D\u{1F4BB}', '\u2764\uFE0F', '\u0645\u06CC\u200C']

/** Characters of every kind that a card may contain, markup included. */
const character = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom('<script>', '</b>', '"', '\\', '\u00e9', '\u{1F98A}') },
  { weight: 1, arbitrary: fc.constantFrom('\u4e16', '\u0645', '\u00e9') },
)

/** A text of limited length in UTF-16 units, without unpaired surrogates. */
const text = (minimum: number, longest: number): Arbitrary<string> =>
  fc
    .tuple(fc.array(character, { maxLength: 40 }), fc.constantFrom('', ...joined))
    .map(([parts, end]) => {
      const plain = parts
        .join('')
        .replaceAll(misleading, '')
        .replaceAll(/\p{Zs}/gu, ' ')
        .slice(0, longest - 1 - end.length)
      return plain.replaceAll(/\p{Cs}/gu, '') + end
    })
    .map((text) => (minimum > 0 && !/[\p{L}\p{N}]/u.test(text) ? `x${text}` : text))

/** One line without leading, trailing or repeated spaces. */
const line = (longest: number): Arbitrary<string> =>
  text(1, longest)
    .map((it) => it.replaceAll(/\p{White_Space}+/gu, ' ').trim())
    .filter((it) => it !== '')

const lines = (longest: number): Arbitrary<string> =>
  fc.array(text(0, 80), { maxLength: 5 }).map((all) =>
    all
      .join('\n')
      .replaceAll(/(\n *){3,}/g, '\n\n')
      .slice(0, longest),
  )

/** Any card: often with all members, seldom of the maximum length. */
export const arbitraryCard: Arbitrary<Card> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record(
      {
        title: line(120),
        description: lines(2000).filter((all) => all.isWellFormed()),
        tags: fc.array(line(32), { maxLength: 12 }),
        category: line(32),
        preview: lines(4000).filter((all) => all.isWellFormed()),
      },
      { requiredKeys: ['title'] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('x', '\u00e9').map(longestCard) },
)

/** Any card, with the content hash of any memory. */
export const arbitraryCardBlock: Arbitrary<CardBlock> = fc.record({
  card: arbitraryCard,
  contentHash: arbitraryHash,
})

/** Returns a card in which every member has its maximum length. */
function longestCard(letter: string): Card {
  const tag = letter.repeat(32)
  const long = { description: letter.repeat(2000), preview: letter.repeat(4000) }
  const short = { title: letter.repeat(120), category: tag }
  return { ...short, ...long, tags: Array.from({ length: 12 }, () => tag) }
}
