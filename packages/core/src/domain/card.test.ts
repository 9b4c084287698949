import { arbitraryCard, arbitraryCardOf } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFailure } from '../failure.ts'
import { type Card, card, documentOfCard, longestCardBlock, readCard } from './card.ts'
import { hash } from './hash.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const contentHash = hash(`0x${'ab'.repeat(32)}`)
const malformed = expect.objectContaining({ code: 'card/malformed' })

/** Everything that must not be in a card, by code points, both ends of each range. */
const hidden = [
  ...[0x00, 0x08, 0x09, 0x0b, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f],
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069],
  ...[0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfeff, 0xe0000, 0xe0001, 0xe0020, 0xe007f],
  // What is not seen: variation selectors, joiners that join nothing, fillers, soft hyphens.
  ...[0xfe00, 0xfe0d, 0xfe0e, 0xfe0f, 0xe0100, 0xe01ef, 0x200b, 0x200c, 0x200d, 0x3164, 0xffa0],
  ...[0x00ad, 0x034f, 0x115f, 0x17b4, 0x180b, 0x180e, 0x2060, 0x2061, 0x2063, 0x2064, 0xfff9],
  // What is drawn as nothing, or by nobody: null heads, fillers, private use, noncharacters.
  ...[0x1d159, 0xfffc, 0x16fe4, 0x13430, 0x1343f, 0x2800, 0xe000, 0xf8ff, 0xf0000, 0x10fffd],
  ...[0xfffe, 0xffff, 0xfdd0, 0xfdef, 0x1fffe, 0x10ffff],
].map((code) => String.fromCodePoint(code))

/** A card that has a text in one of its members. */
const holding: readonly ((text: string) => Card)[] = [
  (title) => ({ title }),
  (tag) => ({ title: 'a', tags: ['fine', tag] }),
  (category) => ({ title: 'a', category }),
  (description) => ({ title: 'a', description }),
  (preview) => ({ title: 'a', preview }),
]
const oneLine = holding.slice(0, 3)
const manyLines = holding.slice(3)

describe('a card', () => {
  test('is what was given, in the order of its members', () =>
    fc.assert(
      fc.property(arbitraryCard, (given) => {
        const shuffled = Object.fromEntries(Object.entries(given).toReversed())
        expect(card(shuffled)).toEqual(given)
        const order = ['title', 'description', 'tags', 'category', 'preview']
        expect(Object.keys(card(shuffled))).toEqual(order.filter((name) => name in given))
      }),
    ))

  test('takes what is absent for absent', () => {
    const nothing = { description: undefined, tags: undefined, category: undefined }
    expect(Object.keys(card({ title: 'a', ...nothing, preview: undefined }))).toEqual(['title'])
  })

  test('keeps markup, scripts and all the writing of the world as they are', () => {
    const texts = [
      '<script>alert(1)</script>',
      '&lt;',
      'שלום',
      'مرحبا',
      '👩‍💻',
      'é',
      '{{x}}',
      "');--",
    ]
    for (const text of texts) {
      for (const of of holding) expect(card(of(text))).toEqual(of(text))
    }
  })

  test.each(['\u2800', ' ', '\u3000', '\u2800 \u2800', '\u0301', '\ue000', '\u00a0'])(
    'is refused with a title, tag or category of only %j',
    (text) => {
      for (const of of oneLine) expect(() => card(of(text))).toThrow(malformed)
    },
  )

  const space = fc.constantFrom(' ', '\u2002', '\u2009', '\u202f', '\u205f', '\u3000', '\u1680')
  const word = fc.stringMatching(/^[a-zа-я記憶]{1,5}$/u)

  test('has one space between the words of a title, a tag and a category', () =>
    fc.assert(
      fc.property(word, space, word, fc.constantFrom(...oneLine), (one, gap, two, of) => {
        expect(card(of(one + gap + two))).toEqual(of(one + gap + two))
      }),
    ))

  const spaced = fc
    .tuple(word, space, space, word)
    .chain(([one, gap, other, two]) =>
      fc.constantFrom(gap + one, one + gap, one + gap + other + two, `${one}\u00a0${two}`),
    )

  test('has no other spaces there, and any in a description and a preview', () =>
    fc.assert(
      fc.property(spaced, (text) => {
        for (const of of oneLine) expect(() => card(of(text))).toThrow(malformed)
        for (const of of manyLines) expect(card(of(text))).toEqual(of(text))
      }),
    ))

  const writings = [
    ...['می\u200cخواهم', 'ه\u200d', 'क्\u200dष', 'क्\u200cष', 'ක්\u200dරි', 'ന്\u200d', 'র\u200d্য'],
    ...['ខ្មែរ\u200bខ្មែរ', 'ไทย\u200bไทย', 'ᠠ\u180b', 'רְבִ֣יעִ֔י', 'rượu e\u0302\u0323', 'བརྒྱུད'],
    ...[
      '❤\ufe0f',
      '1\ufe0f\u20e3',
      '☎\ufe0e',
      '👩\u200d❤\ufe0f\u200d👨',
      '👩🏽\u200d💻',
      '🏳\ufe0f\u200d🌈',
    ],
    ...['🇫🇷', '👨\u200d👩\u200d👧\u200d👦', '⠓⠑⠇⠇⠕⠀⠺', '한국어', '記憶', 'e\u0301'],
  ]

  test.each(writings)('keeps %j, which is written so', (text) => {
    for (const of of holding) expect(card(of(text))).toEqual(of(text))
  })

  test('hides no sentence, whatever the writing around it is', () => {
    // Braille has a blank of its own.
    const unseen = hidden.filter((it) => !/^[\p{Cc}\p{Cs}\u2800]$/u.test(it))
    fc.assert(
      fc.property(
        fc.constantFrom(...writings),
        fc.array(fc.constantFrom(...unseen), { minLength: 2, maxLength: 12 }),
        (text, secret) => {
          for (const of of holding) {
            expect(() => card(of(text + secret.join('')))).toThrow(malformed)
            expect(() => card(of(secret.join('') + text))).toThrow(malformed)
          }
        },
      ),
    )
  })

  test('has at most four marks on a letter', () => {
    for (const of of holding) {
      expect(card(of(`a${'\u0301'.repeat(4)}`))).toBeDefined()
      for (const marks of [5, 6, 20]) {
        expect(() => card(of(`a${'\u0301'.repeat(marks)}`))).toThrow(malformed)
        expect(() => card(of(`བ${'\u0fb2'.repeat(2 * marks + 2)}`))).toThrow(malformed)
      }
    }
  })

  test('may have line ends in description and preview, and nowhere else', () => {
    for (const of of manyLines) expect(card(of('\na\n\nb\n'))).toEqual(of('\na\n\nb\n'))
    for (const of of oneLine) expect(() => card(of('a\nb'))).toThrow(malformed)
  })

  test.each(hidden.map((found) => [found.codePointAt(0)?.toString(16), found]))(
    'is refused with U+%s in it',
    (_, found = '') => {
      for (const of of holding) {
        for (const text of [found, `a${found}`, `${found}b`, `a${found}b`]) {
          expect(() => card(of(text))).toThrow(malformed)
        }
      }
    },
  )

  test('is as long as it may be, and no longer', () => {
    const limits = [120, 32, 32, 2000, 4000]
    for (const [place, of] of holding.entries()) {
      const limit = limits[place] ?? 0
      expect(card(of('x'.repeat(limit)))).toBeDefined()
      expect(() => card(of('x'.repeat(limit + 1)))).toThrow(malformed)
    }
    for (const of of oneLine) expect(() => card(of(''))).toThrow(malformed)
    for (const of of manyLines) expect(card(of(''))).toEqual(of(''))
    const tags = Array.from({ length: 13 }, (_, at) => `${at}`)
    expect(card({ title: 'a', tags: tags.slice(1) }).tags).toHaveLength(12)
    expect(() => card({ title: 'a', tags })).toThrow(malformed)
  })

  test('fits into its block, or is refused', () => {
    const wide = { title: '世', description: '世'.repeat(2000) }
    const preview = (length: number) => ({ ...wide, preview: '世'.repeat(length) })
    const block = (length: number) => documentOfCard({ card: preview(length), contentHash })
    const longest = 4000 - Math.ceil((block(4000).length - longestCardBlock) / 3)
    expect(block(longest).length).toBeLessThanOrEqual(longestCardBlock)
    expect(card(preview(longest))).toEqual(preview(longest))
    expect(() => card(preview(longest + 1))).toThrow(malformed)
  })

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'title'],
    ['a list', [{ title: 'a' }]],
    ['no title', { description: 'a' }],
    ['a title that is a number', { title: 1 }],
    ['a null member', { title: 'a', category: null }],
    ['tags that are a text', { title: 'a', tags: 'abc' }],
    ['tags that look like a list', { title: 'a', tags: { length: 1, 0: 'a' } }],
    ['tags with a hole', { title: 'a', tags: new Array(1) }],
    ['a tag that is a list', { title: 'a', tags: [['a']] }],
    ['a member of its own', { title: 'a', image: 'https://example.com' }],
    ['a prototype', JSON.parse('{"title":"a","__proto__":{"x":1}}')],
  ])('is refused when it is or has %s', (_, input) => {
    expect(() => card(input)).toThrow(malformed)
  })

  test('is refused with `card/malformed` and in no other way, whatever is given', () =>
    fc.assert(
      fc.property(hostile, (input) => {
        try {
          expect(card(input)).toEqual(input)
        } catch (error) {
          expect(isFailure(error, 'card/malformed'), String(error)).toBe(true)
        }
      }),
    ))
})

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hidden))
const anything = fc.oneof(anyText, fc.array(anyText), fc.anything())

/** Objects that come close to a card, and anything else. */
const hostile = fc.oneof(
  fc.anything(),
  fc.record(
    { title: anything, description: anything, tags: anything, preview: anything, more: anything },
    { requiredKeys: [] },
  ),
)

describe('the block of a card', () => {
  test('is this JSON', () => {
    const given = {
      ...{ preview: 'p', category: 'c', tags: ['t', 'u'], description: 'd\n"', title: 'é' },
    }
    expect(decode(documentOfCard({ card: given, contentHash }))).toBe(
      `{"contentHash":"${contentHash}","title":"é","description":"d\\n\\"","tags":["t","u"],"category":"c","preview":"p"}`,
    )
    expect(decode(documentOfCard({ card: { title: 't' }, contentHash }))).toBe(
      `{"contentHash":"${contentHash}","title":"t"}`,
    )
  })

  test('gives the card back, and the memory it speaks of', () =>
    fc.assert(
      fc.property(arbitraryCardOf, (given) => {
        const block = documentOfCard(given)
        expect(block.length).toBeLessThanOrEqual(longestCardBlock)
        expect(readCard(block)).toEqual(given)
      }),
    ))

  test('is read whatever its spaces, escapes and order are', () => {
    const text = `\n{ "title":"\\u00e9", "contentHash":"${contentHash.toUpperCase().replace('X', 'x')}" }`
    expect(readCard(encode(text))).toEqual({ card: { title: 'é' }, contentHash })
  })

  const named = `"contentHash":"${contentHash}"`

  test.each([
    ['empty', ''],
    ['no JSON', '{"title"'],
    ['a list', `[{${named},"title":"a"}]`],
    ['followed by more', `{${named},"title":"a"}{}`],
    ['of no memory', '{"title":"a"}'],
    ['of a memory that is a number', '{"contentHash":1,"title":"a"}'],
    ['of a memory that is no hash', '{"contentHash":"0x12","title":"a"}'],
    ['given a title twice', `{${named},"title":"a","title":"b"}`],
    ['more than a card', `{${named},"title":"a","html":"<b>"}`],
    ['turning the direction of writing', `{${named},"title":"\u202eabc"}`],
    ['doing so behind an escape', `{${named},"title":"\\u202eabc"}`],
    ['half a character', `{${named},"title":"\\ud800"}`],
    ['a title that begins with a space', `{${named},"title":" a"}`],
    ['holding a character of private use', `{${named},"title":"a\ue000"}`],
    ['too long', `{${named},"title":"a"${' '.repeat(longestCardBlock)}}`],
    ['deep', `{${named},"title":"a","tags":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('is no card when it is %s', (_, text) => {
    expect(readCard(encode(text))).toBe(undefined)
  })

  test('is no card when it is no UTF-8', () => {
    const block = documentOfCard({ card: { title: 'ab' }, contentHash })
    for (const byte of [0x80, 0xc0, 0xff]) {
      expect(readCard(block.map((it) => (it === 0x62 ? byte : it)))).toBe(undefined)
    }
  })

  test('is a card or none, whatever its bytes are', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map(encode),
      hostile.map((input) => encode(text(input))),
    )
    fc.assert(fc.property(bytes, holdsACardOrNone))
  })

  test('is a card or none, whatever byte of it was changed', () =>
    fc.assert(
      fc.property(arbitraryCardOf, fc.nat(), fc.nat(255), (given, place, byte) => {
        const block = documentOfCard(given)
        block[place % block.length] = byte
        holdsACardOrNone(block)
      }),
    ))

  function text(input: unknown): string {
    try {
      return JSON.stringify({ contentHash, ...(input as object) })
    } catch {
      return ''
    }
  }

  function holdsACardOrNone(block: Uint8Array): void {
    const read = readCard(block)
    if (read !== undefined) expect(readCard(documentOfCard(read))).toEqual(read)
  }
})
