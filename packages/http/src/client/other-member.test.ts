import fc from 'fast-check'
import { expect, test } from 'vitest'
import { otherMember } from './transport/find-unencodable.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('names the first member that is neither data nor metadata, and no member within', () => {
  const names = fc.oneof(
    fc.constantFrom('data', 'metadata', 'card', 'recipient', 'a"b', 'd\\'),
    fc.string(),
  )
  const object = fc.uniqueArray(fc.tuple(names, fc.jsonValue()), { selector: ([name]) => name })
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 1, '\n\t'), (members, space) => {
      const text = JSON.stringify(Object.fromEntries(members), undefined, space)
      const other = Object.keys(JSON.parse(text)).find((it) => it !== 'data' && it !== 'metadata')
      expect(otherMember(bytesOf(text))).toBe(other)
    }),
    { seed: 4, numRuns: 1000 },
  )
})

test('reads escaped names, and finds none in what is no object', () => {
  expect(otherMember(bytesOf('{"\\u0063ard":{}}'))).toBe('card')
  expect(otherMember(bytesOf('{"d\\u0061ta":{},"metadata":{}}'))).toBeUndefined()
  for (const text of ['', '"card":1', '["card"]', '{', '{"data":{},"']) {
    expect(otherMember(bytesOf(text))).toBeUndefined()
  }
})
