import { arbitraryBundleText, arbitraryCodePoint, arbitraryObjectText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonText, maxJsonDepth, readMembers } from '../json/json.ts'
import { hash } from '../values/hex.ts'
import { type BundleInput, documentOf, refuseAltered } from './bundle.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('documentOf', () => {
  test('serialises an object', () => {
    const bundle = { metadata: { category: 'research', agentId: 'a' }, data: { b: 1, a: [2] } }
    expect(decode(documentOf(bundle))).toBe(
      '{"data":{"b":1,"a":[2]},"metadata":{"category":"research","agentId":"a"}}',
    )
  })

  test('preserves the texts of data and metadata, and drops everything around them', () => {
    const text = '{ "parentTokenId":"7", "metadata" : { "category":"x" }, "data":{ "n":1.0 } }'
    expect(decode(documentOf(encode(text)))).toBe(
      '{"data":{ "n":1.0 },"metadata":{ "category":"x" }}',
    )
  })

  test('returns the same document for bytes and for their members', () =>
    fc.assert(
      fc.property(arbitraryBundleText, ({ text, document }) => {
        expect(decode(documentOf(encode(text)))).toBe(document)
        expect(decode(documentOf(readMembers(encode(text))))).toBe(document)
      }),
    ))

  test('returns the JSON of any object', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: arbitraryCodePoint }), fc.jsonValue()),
        (data) => {
          const bundle = { data, metadata: { category: 'any' } }
          expect(decode(documentOf(bundle))).toBe(JSON.stringify(bundle))
        },
      ),
    ))

  test('does not change its input bytes', () =>
    fc.assert(
      fc.property(arbitraryObjectText, (data) => {
        const bytes = encode(`{"data":${data},"metadata":{"category":"x"}}`)
        const before = bytes.slice()
        documentOf(bytes)
        expect(bytes).toEqual(before)
      }),
    ))

  test('is a view among further members of bytes that are handed over, and of no others', () => {
    const before = fc.constantFrom('{', '{"name":"ada",')
    const after = fc.constantFrom('}', ',"card":{"a":"},{"}}')
    fc.assert(
      fc.property(arbitraryObjectText, before, after, (data, head, rest) => {
        const document = `{"data":${data},"metadata":{"category":"x"}}`
        const body = `${head}${document.slice(1, -1)}${rest}`
        const [held, given] = [encode(body), encode(body)]
        expect(decode(documentOf(readMembers(held)))).toBe(document)
        expect(decode(held)).toBe(body)
        const members = readMembers(given)
        const texts = () => [...members.values()].map(decode)
        const expected = texts()
        const view = documentOf(members, { isHandedOver: true })
        expect(view.buffer).toBe(given.buffer)
        expect(decode(view)).toBe(document)
        expect(decode(documentOf(members, { isHandedOver: true }))).toBe(document)
        expect(texts()).toEqual(expected)
      }),
    )
  })

  test('returns a view only of bytes that contain the document', () => {
    const isView = (text: string) => {
      const bytes = encode(text)
      return documentOf(bytes).buffer === bytes.buffer
    }
    const [data, metadata] = ['"data":{"a":1}', '"metadata":{"category":"x"}']
    expect(isView(` {${data},${metadata}} `)).toBe(true)
    for (const other of [
      `{ ${data},${metadata}}`,
      `{${data}, ${metadata}}`,
      `{${data},${metadata} }`,
      `{${data},${metadata},"a":1}`,
      `{${metadata},${data}}`,
      `{"dat\\u0061":{},${metadata}}`,
      `{"a":1,${data},${metadata}}`,
      `{"metadata" :{"category":"x"},"data":{}}`,
    ]) {
      expect(isView(other), other).toBe(false)
      expect(decode(documentOf(encode(other)))).toMatch(/^\{"data":\{.*\},"metadata":\{.*\}\}$/)
    }
  })

  test('joins texts of different buffers', () => {
    const texts = ['{"a":1}', '{"category":"x"}'].map(encode) as JsonText[]
    const members = new Map([
      ['data', texts[0] as JsonText],
      ['metadata', texts[1] as JsonText],
    ])
    expect(decode(documentOf(members))).toBe('{"data":{"a":1},"metadata":{"category":"x"}}')
  })

  test.each<[string, unknown]>([
    ['no data', { metadata: { category: 'x' } }],
    ['no metadata', { data: {} }],
    ['an array as data', { data: [], metadata: { category: 'x' } }],
    ['null as data', { data: null, metadata: { category: 'x' } }],
    ['a text as metadata', { data: {}, metadata: 'x' }],
    ['no category', { data: {}, metadata: {} }],
    ['an empty category', { data: {}, metadata: { category: '' } }],
    ['a number as category', { data: {}, metadata: { category: 7 } }],
    ['a bigint, which has no JSON form', { data: { n: 1n }, metadata: { category: 'x' } }],
    ['a cycle', cyclic()],
  ])('refuses %s with `bundle/malformed`', (_, bundle) => {
    expect(() => documentOf(bundle as BundleInput)).toThrow(withCode('bundle/malformed'))
  })

  test('refuses a text that is not a JSON object with `json/malformed`', () => {
    expect(() => documentOf(encode('[]'))).toThrow(withCode('json/malformed'))
  })

  test('refuses duplicate data with `json/duplicate-member`', () => {
    const text = '{"data":{},"data":{},"metadata":{"category":"x"}}'
    expect(() => documentOf(encode(text))).toThrow(withCode('json/duplicate-member'))
  })

  test('refuses to nest deeper than the limit with `json/too-deep`', () => {
    const data = `{"a":${'['.repeat(maxJsonDepth)}${']'.repeat(maxJsonDepth)}}`
    const text = `{"data":${data},"metadata":{"category":"x"}}`
    expect(() => documentOf(encode(text))).toThrow(withCode('json/too-deep'))
  })
})

describe('refuseAltered', () => {
  const [one, other] = [hash(`0x${'1'.repeat(64)}`), hash(`0x${'2'.repeat(64)}`)]

  test('accepts the recorded document and refuses another with `bundle/altered`', () => {
    expect(() => refuseAltered(one, one)).not.toThrow()
    expect(() => refuseAltered(one, other)).toThrow(
      expect.objectContaining({ code: 'bundle/altered', facts: { expected: one, actual: other } }),
    )
  })
})

function cyclic(): unknown {
  const data: { self?: unknown } = {}
  data.self = data
  return { data, metadata: { category: 'x' } }
}

const withCode = (code: string) => expect.objectContaining({ code })
