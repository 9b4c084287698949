import { arbitraryCard, arbitraryCardBlock, arbitraryCodePoint } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFailure } from '../failure.ts'
import { hash } from '../values/hex.ts'
import { type Card, card, decodeCard, encodeCard, maxCardBytes } from './card.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const contentHash = hash(`0x${'ab'.repeat(32)}`)
const malformed = expect.objectContaining({ code: 'card/malformed' })

/** Forbidden characters: both ends of each range. */
const forbidden = [
  ...[0x00, 0x08, 0x09, 0x0b, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f],
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069],
  ...[0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfeff, 0xe0000, 0xe0001, 0xe0020, 0xe007f],
  // Invisible: variation selectors, joiners that join nothing, fillers, soft hyphens.
  ...[0xfe00, 0xfe0d, 0xfe0e, 0xfe0f, 0xe0100, 0xe01ef, 0x200b, 0x200c, 0x200d, 0x3164, 0xffa0],
  ...[0x00ad, 0x034f, 0x115f, 0x17b4, 0x180b, 0x180e, 0x2060, 0x2061, 0x2063, 0x2064, 0xfff9],
  // Without a glyph: null noteheads, fillers, private use, noncharacters.
  ...[
    0x1d159, 0xfffc, 0x16fe4, 0x13430, 0x1343f, 0x13441, 0x13442, 0x2800, 0xe000, 0xf8ff, 0xf0000,
    0x10fffd,
  ],
  ...[0xfffe, 0xffff, 0xfdd0, 0xfdef, 0x1fffe, 0x10ffff],
].map((code) => String.fromCodePoint(code))

/** Functions that make a card with a text in one of its members. */
const cardsWith: readonly ((text: string) => Card)[] = [
  (title) => ({ title }),
  (tag) => ({ title: 'a', tags: ['fine', tag] }),
  (category) => ({ title: 'a', category }),
  (description) => ({ title: 'a', description }),
  (preview) => ({ title: 'a', preview }),
]
const oneLine = cardsWith.slice(0, 3)
const manyLines = cardsWith.slice(3)

describe('a card', () => {
  test('equals its input, with its members in order', () =>
    fc.assert(
      fc.property(arbitraryCard, (given) => {
        const shuffled = Object.fromEntries(Object.entries(given).toReversed())
        expect(card(shuffled)).toEqual(given)
        const order = ['title', 'description', 'tags', 'category', 'preview']
        expect(Object.keys(card(shuffled))).toEqual(order.filter((name) => name in given))
      }),
    ))

  test('omits absent members', () => {
    const nothing = { description: undefined, tags: undefined, category: undefined }
    expect(Object.keys(card({ title: 'a', ...nothing, preview: undefined }))).toEqual(['title'])
  })

  test('preserves markup and all scripts', () => {
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
      for (const of of cardsWith) expect(card(of(text))).toEqual(of(text))
    }
  })

  test.each(['\u2800', ' ', '\u3000', '\u2800 \u2800', '\u0301', '\ue000', '\u00a0'])(
    'is refused with a title, tag or category of only %j',
    (text) => {
      for (const of of oneLine) expect(() => card(of(text))).toThrow(malformed)
    },
  )

  const unusual = fc.constantFrom(
    ...['\u00a0', '\u1680', '\u2000', '\u2002', '\u2003', '\u2009', '\u200a', '\u202f'],
    ...['\u205f', '\u3000'],
  )
  const word = fc.stringMatching(/^[a-zа-яα-ω]{1,5}$/u)

  test('may have single plain spaces between the words of every text', () =>
    fc.assert(
      fc.property(word, word, fc.constantFrom(...cardsWith), (one, two, of) => {
        expect(card(of(`${one} ${two}`))).toEqual(of(`${one} ${two}`))
      }),
    ))

  test('has no other space between words, in any text', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.oneof(fc.constant(' '), unusual)), { minLength: 1 }),
        word,
        unusual,
        (parts, last, gap) => {
          const text = `${parts.flat().join('')}${last}${gap}${last}`
          for (const of of cardsWith) expect(() => card(of(text))).toThrow(malformed)
        },
      ),
    ))

  test('has the space of a script beside its letters', () => {
    for (const text of ['記憶\u3000売買', '記憶。\u3000a', 'ᚁᚂ\u1680ᚃ', 'ᠮᠣᠩᠭᠣᠯ\u202fᠤᠨ']) {
      for (const of of cardsWith) expect(card(of(text))).toEqual(of(text))
    }
    for (const of of cardsWith)
      expect(() => card(of('記憶\u3000\u3000\u3000売買'))).toThrow(malformed)
  })

  test('may have spaces that do not break a line in a description and a preview', () => {
    for (const text of ['Prix\u00a0: 5\u202f000\u00a0€', '«\u00a0oui\u202f!\u00a0»', '5\u00a0kg']) {
      for (const of of oneLine) expect(() => card(of(text))).toThrow(malformed)
      for (const of of manyLines) expect(card(of(text))).toEqual(of(text))
    }
  })

  const spaced = fc.tuple(word, fc.integer({ min: 2, max: 40 })).chain(([one, count]) => {
    const gap = ' '.repeat(count)
    return fc.constantFrom(gap + one, one + gap, one + gap + one, ` ${one}`, `${one} `)
  })

  test('may have several plain spaces, and spaces at an end, only in long texts', () =>
    fc.assert(
      fc.property(spaced, (text) => {
        for (const of of oneLine) expect(() => card(of(text))).toThrow(malformed)
        for (const of of manyLines) expect(card(of(text))).toEqual(of(text))
      }),
    ))

  test('has at most forty spaces in a row', () => {
    for (const of of cardsWith) {
      for (const count of [41, 500]) {
        expect(() => card(of(`a${' '.repeat(count)}b`))).toThrow(malformed)
      }
    }
  })

  test('has few line breaks, and one empty line in a row', () => {
    const linesOf = (count: number) => Array(count).fill('a').join('\n')
    for (const [of, most] of [
      [manyLines[0], 100],
      [manyLines[1], 200],
    ] as const) {
      expect(card(of?.(linesOf(most + 1)))).toEqual(of?.(linesOf(most + 1)))
      expect(() => card(of?.(linesOf(most + 2)))).toThrow(malformed)
      for (const gap of ['\n\n\n', '\n \n\n', '\n\n  \n', '\n'.repeat(2000)]) {
        expect(() => card(of?.(`a${gap}b`))).toThrow(malformed)
        expect(() => card(of?.(gap))).toThrow(malformed)
      }
    }
  })

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

  test.each(writings)('preserves %j, which its script needs', (text) => {
    for (const of of cardsWith) expect(card(of(text))).toEqual(of(text))
  })

  test('cannot hide a sentence in any script', () => {
    // The braille blank is allowed beside other braille.
    const invisible = forbidden.filter((it) => !/^[\p{Cc}\p{Cs}\u2800]$/u.test(it))
    fc.assert(
      fc.property(
        fc.constantFrom(...writings),
        fc.array(fc.constantFrom(...invisible), { minLength: 2, maxLength: 12 }),
        (text, secret) => {
          for (const of of cardsWith) {
            expect(() => card(of(text + secret.join('')))).toThrow(malformed)
            expect(() => card(of(secret.join('') + text))).toThrow(malformed)
          }
        },
      ),
    )
  })

  test('has at most four marks on a letter', () => {
    for (const of of cardsWith) {
      expect(card(of(`a${'\u0301'.repeat(4)}`))).toBeDefined()
      for (const marks of [5, 6, 20]) {
        expect(() => card(of(`a${'\u0301'.repeat(marks)}`))).toThrow(malformed)
        expect(() => card(of(`བ${'\u0fb2'.repeat(2 * marks + 2)}`))).toThrow(malformed)
      }
    }
  })

  test('may have line breaks only in description and preview', () => {
    for (const of of manyLines) expect(card(of('\na\n\nb\n'))).toEqual(of('\na\n\nb\n'))
    for (const of of oneLine) expect(() => card(of('a\nb'))).toThrow(malformed)
  })

  test.each(forbidden.map((found) => [found.codePointAt(0)?.toString(16), found]))(
    'is refused with U+%s in it',
    (_, found = '') => {
      for (const of of cardsWith) {
        for (const text of [found, `a${found}`, `${found}b`, `a${found}b`]) {
          expect(() => card(of(text))).toThrow(malformed)
        }
      }
    },
  )

  test('has limits of length', () => {
    const limits = [120, 32, 32, 2000, 4000]
    for (const [index, of] of cardsWith.entries()) {
      const limit = limits[index] ?? 0
      expect(card(of('x'.repeat(limit)))).toBeDefined()
      expect(() => card(of('x'.repeat(limit + 1)))).toThrow(malformed)
    }
    for (const of of oneLine) expect(() => card(of(''))).toThrow(malformed)
    for (const of of manyLines) expect(card(of(''))).toEqual(of(''))
    const tags = Array.from({ length: 13 }, (_, at) => `${at}`)
    expect(card({ title: 'a', tags: tags.slice(1) }).tags).toHaveLength(12)
    expect(() => card({ title: 'a', tags })).toThrow(malformed)
  })

  test('is refused when it does not fit into its block', () => {
    const wide = { title: '世', description: '世'.repeat(2000) }
    const preview = (length: number) => ({ ...wide, preview: '世'.repeat(length) })
    const block = (length: number) => encodeCard({ card: preview(length), contentHash })
    const longest = 4000 - Math.ceil((block(4000).length - maxCardBytes) / 3)
    expect(block(longest).length).toBeLessThanOrEqual(maxCardBytes)
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
    ['an unknown member', { title: 'a', image: 'https://example.com' }],
    ['a prototype', JSON.parse('{"title":"a","__proto__":{"x":1}}')],
  ])('is refused when it is or has %s', (_, input) => {
    expect(() => card(input)).toThrow(malformed)
  })

  test('is refused with `card/malformed` for any other input', () =>
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

const anyText = fc.oneof(fc.string({ unit: arbitraryCodePoint }), fc.constantFrom(...forbidden))
const anything = fc.oneof(anyText, fc.array(anyText), fc.anything())

/** Objects that resemble a card, and any other values. */
const hostile = fc.oneof(
  fc.anything(),
  fc.record(
    { title: anything, description: anything, tags: anything, preview: anything, more: anything },
    { requiredKeys: [] },
  ),
)

describe('the block of a card', () => {
  test('is JSON with the members in order', () => {
    const given = {
      preview: 'p',
      category: 'c',
      tags: ['t', 'u'],
      description: 'd\n"',
      title: 'é',
    }
    expect(decode(encodeCard({ card: given, contentHash }))).toBe(
      `{"contentHash":"${contentHash}","title":"é","description":"d\\n\\"","tags":["t","u"],"category":"c","preview":"p"}`,
    )
    expect(decode(encodeCard({ card: { title: 't' }, contentHash }))).toBe(
      `{"contentHash":"${contentHash}","title":"t"}`,
    )
  })

  test('decodes to the card and the content hash', () =>
    fc.assert(
      fc.property(arbitraryCardBlock, (given) => {
        const block = encodeCard(given)
        expect(block.length).toBeLessThanOrEqual(maxCardBytes)
        expect(decodeCard(block)).toEqual(given)
      }),
    ))

  test('may have any spaces, escapes and order of members', () => {
    const text = `\n{ "title":"\\u00e9", "contentHash":"${contentHash.toUpperCase().replace('X', 'x')}" }`
    expect(decodeCard(encode(text))).toEqual({ card: { title: 'é' }, contentHash })
  })

  const named = `"contentHash":"${contentHash}"`

  test.each([
    ['empty', ''],
    ['not JSON', '{"title"'],
    ['a list', `[{${named},"title":"a"}]`],
    ['followed by more', `{${named},"title":"a"}{}`],
    ['without a content hash', '{"title":"a"}'],
    ['with a number as content hash', '{"contentHash":1,"title":"a"}'],
    ['with an invalid content hash', '{"contentHash":"0x12","title":"a"}'],
    ['with a duplicate title', `{${named},"title":"a","title":"b"}`],
    ['more than a card', `{${named},"title":"a","html":"<b>"}`],
    ['changing the writing direction', `{${named},"title":"\u202eabc"}`],
    ['changing it by an escape', `{${named},"title":"\\u202eabc"}`],
    ['with an unpaired surrogate', `{${named},"title":"\\ud800"}`],
    ['with a space before the title', `{${named},"title":" a"}`],
    ['with a private use character', `{${named},"title":"a\ue000"}`],
    ['too long', `{${named},"title":"a"${' '.repeat(maxCardBytes)}}`],
    ['nested deep', `{${named},"title":"a","tags":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('is not a card when it is %s', (_, text) => {
    expect(decodeCard(encode(text))).toBe(undefined)
  })

  test('is not a card when it is not UTF-8', () => {
    const block = encodeCard({ card: { title: 'ab' }, contentHash })
    for (const byte of [0x80, 0xc0, 0xff]) {
      expect(decodeCard(block.map((it) => (it === 0x62 ? byte : it)))).toBe(undefined)
    }
  })

  test('is a card or not, for any bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map(encode),
      hostile.map((input) => encode(text(input))),
    )
    fc.assert(fc.property(bytes, expectCardOrNone))
  })

  test('is a card or not, after a change of any byte', () =>
    fc.assert(
      fc.property(arbitraryCardBlock, fc.nat(), fc.nat(255), (given, at, byte) => {
        const block = encodeCard(given)
        block[at % block.length] = byte
        expectCardOrNone(block)
      }),
    ))

  function text(input: unknown): string {
    try {
      return JSON.stringify({ contentHash, ...(input as object) })
    } catch {
      return ''
    }
  }

  function expectCardOrNone(block: Uint8Array): void {
    const decoded = decodeCard(block)
    if (decoded !== undefined) expect(decodeCard(encodeCard(decoded))).toEqual(decoded)
  }
})
