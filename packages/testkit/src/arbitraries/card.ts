import type { Card, CardOf } from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import { arbitraryHash } from './values.ts'

const misleading = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{FEFF}\u{E0000}-\u{E007F}]/gu

/** Characters of every kind that a card may hold; markup and scripts are but text. */
const character = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom('<script>', '</b>', '"', '\\', '\u00e9', '\u{1F98A}') },
  { weight: 1, arbitrary: fc.constantFrom('\u4e16', '\u0645', '\u{1F9D1}\u200D\u{1F4BB}') },
)

/** A text of at most so many UTF-16 units; where it is cut, no half of a pair is left. */
const text = (minimum: number, longest: number): Arbitrary<string> =>
  fc
    .array(character, { maxLength: 40 })
    .map((parts) => parts.join('').slice(0, longest).replaceAll(misleading, ''))
    .map((text) => text.padEnd(minimum, 'x'))

const lines = (longest: number): Arbitrary<string> =>
  fc.array(text(0, 80), { maxLength: 5 }).map((all) => all.join('\n').slice(0, longest))

/** Any card; often with everything in it, seldom as long as it may be. */
export const arbitraryCard: Arbitrary<Card> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record(
      {
        title: text(1, 120),
        description: lines(2000).filter((all) => all.isWellFormed()),
        tags: fc.array(text(1, 32), { maxLength: 12 }),
        category: text(1, 32),
        preview: lines(4000).filter((all) => all.isWellFormed()),
      },
      { requiredKeys: ['title'] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('x', '\u00e9').map(filled) },
)

/** Any card, with the content hash of any memory. */
export const arbitraryCardOf: Arbitrary<CardOf> = fc.record({
  card: arbitraryCard,
  contentHash: arbitraryHash,
})

/** A card in which every member is as long as it may be. */
function filled(letter: string): Card {
  const tag = letter.repeat(32)
  const long = { description: letter.repeat(2000), preview: letter.repeat(4000) }
  const short = { title: letter.repeat(120), category: tag }
  return { ...short, ...long, tags: Array.from({ length: 12 }, () => tag) }
}
