import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentStart, surveySegment } from '../json/segments.ts'
import type { UnchangedRun } from './item-skips.ts'
import { startWalk, walkAll } from './item-walk.ts'
import { itemsOf } from './items.ts'

// Texts here have a character for each byte of UTF-8, so that they can be cut anywhere.
const encode = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const inBytes = (text: string) => Buffer.from(text).toString('latin1')

/** A piece of the next document: one of the earlier document, by its number, or another text. */
type Piece = number | string

type Cuts = { readonly places: readonly number[]; readonly isAfterComma: boolean }

/** Cuts a text at some positions, or after the first commas from there. */
function cut(text: string, { places, isAfterComma }: Cuts): readonly string[] {
  const endAt = (place: number) => (isAfterComma ? text.indexOf(',', place) + 1 : place)
  const inside = places.map((place) => endAt(place % text.length)).filter((end) => end > 0)
  const ends = [...new Set(inside), text.length].sort((one, other) => one - other)
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)).filter((piece) => piece !== '')
}

/** Returns the pieces of a document as segments. */
function survey(pieces: readonly string[]): UnchangedRun['segments'] {
  let from = documentStart
  return pieces.map((piece) => {
    const surveyed = surveySegment(encode(piece), from)
    const segment = { length: piece.length, from, survey: surveyed.survey }
    from = surveyed.next
    return segment
  })
}

/** Returns the next document, and what of it is unchanged. */
function changed(earlier: readonly string[], pieces: readonly Piece[]) {
  const surveyed = survey(earlier)
  const unchanged: { offset: number; segments: UnchangedRun['segments'][0][] }[] = []
  let text = ''
  let last: Piece = ''
  for (const piece of pieces) {
    const isKnown = typeof piece === 'number'
    if (isKnown && last !== piece - 1) unchanged.push({ offset: text.length, segments: [] })
    if (isKnown) unchanged.at(-1)?.segments.push(surveyed[piece] as UnchangedRun['segments'][0])
    text += isKnown ? earlier[piece] : piece
    last = piece
  }
  return { bytes: encode(text), unchanged }
}

/** Returns items as texts in one order: that of a walk begins anywhere among the last ones. */
const written = (items: ReturnType<typeof itemsOf>) =>
  items?.map(({ pointer, start, end }) => `${end} ${start} ${pointer}`).sort()

/** Compares the items with those of a reader of the whole; returns whether any were skipped. */
function compare({ bytes, unchanged }: ReturnType<typeof changed>): boolean {
  const expected = written(itemsOf(bytes))
  expect(written(itemsOf(bytes, unchanged))?.join()).toBe(expected?.join())
  const walk = startWalk(bytes, unchanged)
  try {
    walkAll(walk)
  } catch {
    // It is no JSON.
  }
  return walk.countAtSkip !== undefined
}

const shortElements = ['1', '-2.5', 'true', '"a"', '"],["', '"\\""', '"\\\\"', '[]', '{}', ' 7 ']
const elements = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...shortElements) },
  fc.constantFrom(
    '[1,2,[3,4]]',
    '{"a":[1,2,3],"b":[4,5]}',
    ' [ 1 , 2 ] ',
    '[[[[[[[[[1,2]]]]]]]]]',
    `{"a":{"b":1,"c":2},"d":"é,😀"}`,
    `["${'x'.repeat(700)}",1,2]`,
  ),
)

const frames = [
  ['{"data":[', ']}'],
  ['{"data":[1,[2,', ',3],4]}'],
  ['{"data":{"a":[1,2],"b":[', '],"c":[3]}}'],
  [`{"${'n'.repeat(300)}":[`, ']}'],
] as const

/** In arrays of arrays, some elements end one and begin another. */
const nestedFrames = [
  ['{"data":[[', ']]}'],
  ['{"data":[{"a":[', ']}]}'],
] as const
const ends = ['1],[2', '3]},{"a":[4,5'] as const

/** So many elements that some values between the first and the last are no items. */
const many = fc
  .tuple(fc.array(elements, { minLength: 1, maxLength: 12 }), fc.integer({ min: 10, max: 14 }))
  .map(([some, thousands]) =>
    Array.from({ length: 1000 * thousands }, (_, at) => some[(at * at) % some.length] as string),
  )

const flat = fc.tuple(many, fc.constantFrom(...frames))
const nested = fc
  .tuple(many, fc.constantFrom(0, 1), fc.integer({ min: 30, max: 3000 }))
  .map(([all, kind, step]) => {
    const split = all.map((it, at) => (at % step === step - 1 ? (ends[kind] as string) : it))
    return [split, nestedFrames[kind]] as const
  })

const documents = fc
  .oneof(flat, nested)
  .map(([all, [before, after] = frames[0]]) => inBytes(`${before}${all.join()}${after}`))

/** Few pieces, of some kilobytes as the chunks of a line, and many of a few bytes. */
const cuts = fc.record({
  isAfterComma: fc.boolean(),
  places: fc.oneof(
    fc.array(fc.nat(1_000_000), { minLength: 20, maxLength: 90 }),
    fc
      .integer({ min: 40, max: 900 })
      .map((step) => Array.from({ length: 400 }, (_, at) => at * step)),
  ),
})

const snippets = [
  ...[
    '',
    '',
    '',
    '',
    '1,',
    '2,3,',
    '1,',
    '2,3,',
    '7,',
    '9',
    ',',
    '[',
    ']',
    '],[',
    '{',
    '}',
    '"',
    '"x":',
    '{"a":1},',
    ' ',
  ],
  ...['{"k":[', ']},', '\\', '[[[[[[', '"a":1,"a":2,', `{"${'n'.repeat(300)}":[1,`, '\\"'],
]
const edits = fc.array(
  fc.record({ at: fc.nat(), gone: fc.nat(3), put: fc.constantFrom(...snippets) }),
  { maxLength: 4 },
)

type Move = { readonly from: number; readonly count: number; readonly to: number }

/** Returns all pieces, or those between the first and the last in another frame, and some twice. */
function elsewhere(
  length: number,
  frame: readonly [before: string, after: string] | undefined,
  { from, count, to }: Move,
): readonly Piece[] {
  const own: readonly Piece[] = Array.from({ length }, (_, at) => at)
  const pieces = frame ? [frame[0], ...own.slice(1, -1), '1', frame[1]] : [...own]
  const start = from % length
  return pieces.toSpliced(to % pieces.length, 0, ...own.slice(start, start + count))
}

const settings = { numRuns: 60, seed: 31 }

describe('the items of a document with unchanged runs', () => {
  test('are those of the whole, whatever was changed', () => {
    let skipped = 0
    fc.assert(
      fc.property(documents, cuts, edits, (text, at, changes) => {
        const earlier = cut(text, at)
        const pieces: Piece[] = [...earlier.keys()]
        for (const { at, gone, put } of changes) pieces.splice(at % pieces.length, gone, put)
        if (compare(changed(earlier, pieces))) skipped += 1
      }),
      settings,
    )
    expect(skipped).toBeGreaterThan(5)
  })

  test('are those of the whole, where the runs stand elsewhere', () => {
    let skipped = 0
    const others = fc.option(fc.constantFrom(...frames, ...nestedFrames), {
      nil: undefined,
      freq: 1,
    })
    const move = fc.record({ from: fc.nat(), count: fc.nat(30), to: fc.nat() })
    fc.assert(
      fc.property(documents, cuts, others, fc.option(move), (text, at, other, moved) => {
        const earlier = cut(text, at)
        const pieces = elsewhere(earlier.length, other, moved ?? { from: 0, count: 0, to: 0 })
        if (compare(changed(earlier, pieces))) skipped += 1
      }),
      settings,
    )
    expect(skipped).toBeGreaterThan(5)
  })

  const elementsOf = (count: number) => Array.from({ length: count }, () => '1').join()
  const [all, name] = [elementsOf(9000), 'n'.repeat(300)]
  const middle = ['1,2,3,', '4,5,6,', '7,8,9,']

  test('are found without reading what is unchanged between the first and the last', () => {
    const earlier = [`{"data":[${all},`, ...middle, all, ']}']
    const { bytes, unchanged } = changed(earlier, [...earlier.keys()])
    const expected = written(itemsOf(bytes))
    // Bytes that are no JSON, where nobody looks.
    const at = (earlier[0] as string).length + (middle[0] as string).length
    bytes.fill(0, at, at + 5)
    expect(itemsOf(bytes)).toBeUndefined()
    expect(written(itemsOf(bytes, unchanged))).toEqual(expected)
  })

  /** Earlier documents, and others that have some of their pieces, by their numbers. */
  const attacks: readonly (readonly [
    where: string,
    from: readonly string[],
    to: readonly Piece[],
  ])[] = [
    [
      'out of a string',
      [`{"data":[${all},`, '"', '1,2,3,",4,5,', ...middle, all, ']}'],
      [0, 2, 3, 4, 5, '",', 6, 7],
    ],
    ['into a string', [`{"data":[${all},`, ...middle, all, ']}'], [0, '"', 1, 2, 3, '",', 4, 5]],
    [
      'less deep',
      [`{"data":[[${all},`, '[', '1,2,3,', '4],5,6,', '7,8,', all, ']]}'],
      [0, 2, 3, 4, 5, ']}'],
    ],
    [
      'deeper than it may be',
      [`{"data":[${all},`, ...middle, all, ']}'],
      [0, '['.repeat(998), '1,', 1, 2, 3, '[1]', ']'.repeat(998), ',', 4, 5],
    ],
    [
      'before few values',
      [`{"data":[${all},`, ...middle, `{"${name}":[`, all, ']}', ']}'],
      [0, 1, 2, 3, 4, 5, 6, 7],
    ],
    [
      'as members',
      [`{"data":[${all},`, '"a","b",', '"c","d",', '"e","f",', all, ']}'],
      [0, '1],"x":{"k":', 1, 2, 3, '"c":1,"d":[2,', 4, 5, '}'],
    ],
  ]
  test.each(attacks)('are those of the whole where a run stands %s', (_, earlier, pieces) => {
    expect(itemsOf(encode(earlier.join('')))).toBeDefined()
    compare(changed(earlier, pieces))
  })
})
