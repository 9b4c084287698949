import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemLimits } from './item-walk.ts'
import { itemsOf } from './items.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Names that a JSON pointer escapes, and names with several forms in JSON. */
const names = fc.oneof(
  fc.constantFrom('', 'a', '/', '~', '~1', 'é', '"', '0', '__proto__'),
  fc.string(),
)

const objects = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
})).object as fc.Arbitrary<object>

const texts = fc
  .tuple(objects, fc.constantFrom('', ' ', '\t', '  '))
  .map(([object, indent]) => JSON.stringify(object, null, indent))

type Found = readonly (readonly [pointer: string, value: string])[]

/** Returns the items of a text by their definition, from its parsed form. */
function expected(value: unknown, pointer = '', depth = 0): Found {
  if (typeof value !== 'object' || value === null || depth === itemLimits.depth) return []
  return Object.entries(value).flatMap(([name, inside]) => {
    const below = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return [...expected(inside, below, depth + 1), [below, JSON.stringify(inside)] as const]
  })
}

const found = (text: string): Found | undefined => {
  const bytes = encode(text)
  return itemsOf(bytes)?.map(({ pointer, start, end }) => {
    const value: unknown = JSON.parse(decode(bytes.subarray(start, end)))
    return [pointer, JSON.stringify(value)] as const
  })
}

describe('the items of a document', () => {
  test('are its values with their pointers and exact bytes', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(new Map(found(text))).toEqual(new Map(expected(JSON.parse(text))))
        expect(found(text)?.length).toBe(new Map(found(text)).size)
      }),
    )
  })

  test('come from any bytes without an error, and only from JSON objects', () => {
    const near = fc
      .tuple(texts, fc.nat(), fc.uint8Array({ maxLength: 2 }))
      .map(([text, at, more]) => {
        const bytes = encode(text)
        return Buffer.concat([
          bytes.subarray(0, at % bytes.length),
          more,
          bytes.subarray(at % bytes.length),
        ])
      })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), near), (bytes) => {
        const isObject = itemsOf(bytes) !== undefined
        if (isObject) expect(typeof JSON.parse(decode(bytes))).toBe('object')
      }),
    )
    for (const text of [
      '',
      '[]',
      '1',
      '{',
      '{"a":1}}',
      '{"a":1,}',
      '{"a":[1,]}',
      '{"a" 1}',
      '\ufeff{}',
    ]) {
      expect(itemsOf(encode(text))).toBeUndefined()
    }
    expect(itemsOf(encode(' { } '))).toEqual([])
  })

  const pairs = [
    ['"a"', '"a"'],
    ['"a"', '"\\u0061"'],
    ['"b/"', '"b\\/"'],
    ['"\\ud83d\\ude00"', '"😀"'],
    ['"😀"', '"😀"'],
    ['"\\ud800"', '"\\ud800"'],
  ] as const
  const places = [
    (object: string) => object,
    (object: string) => `[[${object}]]`,
    (object: string) => `{"x":${object}}`,
  ]
  test.each(pairs)('are none where an object has a member twice: %s and %s', (one, other) => {
    const objectOf = (count: number, last: string) => {
      const between = Array.from({ length: count }, (_, at) => `"n${at}":0,`).join('')
      return `{${one}:1,${between}${last}:2}`
    }
    const cases = [0, 30, 31, 32, 33, 100].flatMap((count) =>
      places.map((place) => ({ count, place })),
    )
    for (const { count, place } of cases) {
      expect(itemsOf(encode(`{"data":${place(objectOf(count, other))}}`))).toBeUndefined()
      expect(itemsOf(encode(`{"data":${place(objectOf(count, '"other"'))}}`))).toBeDefined()
    }
  })

  test('may have equal names in different objects', () => {
    expect(found('{"a":{"x":1},"b":{"x":1},"x":[{"x":1},{"x":1}]}')).toHaveLength(9)
  })

  test('end at each stated limit', () => {
    const pointers = (text: string) => found(text)?.map(([pointer]) => pointer)
    const { bytes, depth, nameBytes } = itemLimits
    expect(pointers(`{"a":"${'x'.repeat(bytes - 2)}"}`)).toEqual(['/a'])
    expect(pointers(`{"a":"${'x'.repeat(bytes - 1)}"}`)).toEqual([])
    const deep = `${'{"a":'.repeat(depth + 3)}1${'}'.repeat(depth + 3)}`
    expect(pointers(deep)?.toSorted().at(-1)).toBe('/a'.repeat(depth))
    expect(pointers(deep)).toHaveLength(depth)
    const named = (length: number) => `{"${'n'.repeat(length)}":{"in":1},"z":2}`
    expect(pointers(named(nameBytes - 2))).toHaveLength(3)
    expect(pointers(named(nameBytes - 1))).toEqual(['/z'])
    expect(pointers('{"\\ud800":{"in":1},"\\ud83d\\ude00":2}')).toEqual(['/😀'])
    expect(itemsOf(encode(`{"a":${'['.repeat(999)}${']'.repeat(999)}}`))).toBeDefined()
    expect(itemsOf(encode(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`))).toBeUndefined()
  })

  test('are the first and the last of a long document', () => {
    const list = (length: number) => JSON.stringify({ a: Array.from({ length }, (_, at) => at) })
    const pointers = (length: number) => found(list(length))?.map(([pointer]) => pointer)
    // The list itself is too long to be an item.
    expect(pointers(8192)).toEqual(Array.from({ length: 8192 }, (_, at) => `/a/${at}`))
    const committed = new Set(pointers(20_000))
    expect(committed.size).toBe(8192)
    expect([4095, 4096, 15_903, 15_904, 19_999].map((at) => committed.has(`/a/${at}`))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ])
  })
})
