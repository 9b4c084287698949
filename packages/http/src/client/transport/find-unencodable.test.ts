import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime, yardstick } from '../../../../../test/harness/yardstick.ts'
import { findUnencodable } from './find-unencodable.ts'

test.each([
  ['is NaN', Number.NaN],
  ['is Infinity', Number.POSITIVE_INFINITY],
  ['is -Infinity', Number.NEGATIVE_INFINITY],
  ['is a Map', new Map([['a', 1]])],
  ['is a Set', new Set([1])],
  ['is a Date', new Date(0)],
  ['is a RegExp', /a/],
  ['is a Float32Array', Float32Array.of(1)],
  ['is a Uint8Array', Buffer.from('hi')],
  ['is NaN', { toJSON: () => Number.NaN }],
  ['is a bigint', 1n],
  ['is a symbol', Symbol('a')],
  ['is a function', () => 1],
])('a value that %s is found', (problem, value) => {
  expect(findUnencodable({ data: { 'a/b': [0, { '~': value }] } })).toBe(
    `/data/a~1b/1/~0 ${problem}`,
  )
})

test('the place that a list leaves empty is found', () => {
  const list = [1]
  list[2] = 3
  expect(findUnencodable({ data: { list } })).toBe('/data/list/1 is undefined')
})

/** Returns lists in lists. */
function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

test('what is nested deeper than servers take is found', () => {
  expect(findUnencodable({ data: nested(990) })).toBeUndefined()
  expect(findUnencodable({ data: nested(1_100) })).toMatch(/^\/data(\/0)+ is nested too deep$/)
})

test('a member of the name toJSON that is no function is a member', () => {
  expect(findUnencodable({ data: { toJSON: true, score: Number.NaN } })).toBe('/data/score is NaN')
})

test('a member that is undefined reads the same without it, and an item does not', () => {
  expect(findUnencodable({ data: { notes: undefined } })).toBeUndefined()
  expect(findUnencodable({ data: { list: [undefined] } })).toBe('/data/list/0 is undefined')
})

test('an object that stands twice does not contain itself, and toJSON chooses a form', () => {
  const twice = { a: [1] }
  const chosen = { toJSON: () => 'x', part: 1n }
  expect(findUnencodable({ data: { twice, again: [twice], chosen } })).toBeUndefined()
})

test('JSON gives everything back in which nothing is found', () => {
  const values = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true })
  fc.assert(
    fc.property(values, (data) => {
      if (findUnencodable({ data }) !== undefined) return
      expect(JSON.parse(JSON.stringify({ data }))).toEqual({ data: withoutZeroSign(data) })
    }),
  )
})

/** Returns a value with 0 for -0, which JSON does not have. */
function withoutZeroSign(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZeroSign)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutZeroSign(member)]),
  )
}

test('ten megabytes are looked through in the time of a few stringifications', async () => {
  const notes = Array.from({ length: 100_000 }, (_, id) => ({ id, text: 'x'.repeat(80), at: [id] }))
  const stringified = await processorTime(() => JSON.stringify(notes))
  const spent = await processorTime(() =>
    expect(findUnencodable({ data: { notes } })).toBeUndefined(),
  )
  expect(spent).toBeLessThan(20 * stringified + 20 * (await yardstick()))
})
