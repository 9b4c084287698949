import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findStrings, removeValue } from './remove-value.ts'

const steps = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((it) => it.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns the pointers of all values below a value. */
function pointersOf(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return [pointer, ...pointersOf(inner, pointer)]
  })
}

/** Removes a value from a parsed document, by the semantics of JSON. */
function without(document: unknown, pointer: string): unknown {
  const copy = structuredClone(document)
  const path = steps(pointer)
  const last = path.pop() ?? ''
  const parent = path.reduce((above, step) => Reflect.get(Object(above), step), copy)
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else Reflect.deleteProperty(Object(parent), last)
  return copy
}

const data = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true })

describe('removeValue', () => {
  test('removes what JSON has at the pointer, and nothing else, however it is spaced', () => {
    fc.assert(
      fc.property(data, fc.constantFrom(0, 1, 3), fc.nat(), (data, space, pick) => {
        const document = { data, metadata: { category: 'x' } }
        const pointers = pointersOf(data, '/data')
        fc.pre(pointers.length > 0)
        const pointer = pointers[pick % pointers.length] as string
        const text = JSON.stringify(document, undefined, space)
        const result = removeValue(text, pointer)
        if ('problem' in result) throw new Error(result.problem)
        // Parsed first, because JSON has no -0.
        expect(JSON.parse(result.text)).toEqual(without(JSON.parse(text), pointer))
        expect(text.length).toBeGreaterThan(result.text.length)
      }),
    )
  })

  test('leaves every other byte as it is: numbers, escapes, spaces and the order of members', () => {
    const items = fc.array(
      fc.constantFrom(
        '1.50',
        '-0',
        '12345678901234567890',
        '"\\u0041"',
        '{"b":1e2,"a":[ ]}',
        '"é"',
      ),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(items, fc.nat(), (items, pick) => {
        const at = pick % items.length
        const rest = items.filter((_, other) => other !== at)
        const texts = (those: readonly string[]) => [
          `{"data":{"notes":[${those.join()}],"z":1.0},"metadata":{"category":"x"}}`,
          `{"data":{"z":1.0,"notes":{${those.map((it, name) => `"n${name}" : ${it}`).join()}}},"metadata":{}}`,
        ]
        const [list = ''] = texts(items)
        expect(removeValue(list, `/data/notes/${at}`)).toEqual({
          text: texts(rest)[0],
          removed: items[at],
        })
      }),
    )
  })

  test.each([
    ['{"data":{"a" : 1 , "b":2},"metadata":{}}', '/data/a', '{"data":{"b":2},"metadata":{}}'],
    ['{"data":{"a":1 , "b" : 2 },"metadata":{}}', '/data/b', '{"data":{"a":1 },"metadata":{}}'],
    ['{"data":{"a":[ 1 ]},"metadata":{}}', '/data/a/0', '{"data":{"a":[  ]},"metadata":{}}'],
    ['{"data":{"a/b":1},"metadata":{}}', '/data/a~1b', '{"data":{},"metadata":{}}'],
    ['{"data":{"":{"x":1}},"metadata":{}}', '/data/', '{"data":{},"metadata":{}}'],
    [
      '{"data":{},"metadata":{"category":"x","v":1}}',
      '/metadata/v',
      '{"data":{},"metadata":{"category":"x"}}',
    ],
  ])('removes from %s the value at %s', (text, pointer, rest) => {
    expect(removeValue(text, pointer)).toMatchObject({ text: rest })
  })

  const memory = '{"data":{"notes":["a"],"twice":1,"t":{"x":1,"x":2}},"metadata":{"category":"x"}}'

  test.each([
    ['/data/notes/1', 'the list at "/data/notes" has 1 items'],
    ['/data/notes/-', 'the list at "/data/notes" has 1 items'],
    ['/data/notes/00', 'the list at "/data/notes" has 1 items'],
    ['/data/none', 'the object at "/data" has no member "none"'],
    ['/data/twice/x', '"/data/twice" is no list and no object'],
    ['/data/t/x', 'the object at "/data/t" has a name twice'],
    ['/metadata/category', 'each memory has a category; set another one'],
    ['/data', 'each memory has data and metadata; name a value inside of them'],
    ['', 'each memory has data and metadata; name a value inside of them'],
    ['/notes/0', 'a pointer to a value of a memory begins with /data/ or /metadata/'],
    ['data/notes/0', 'a pointer to a value of a memory begins with /data/ or /metadata/'],
  ])('says why it removes nothing at %j', (pointer, problem) => {
    expect(removeValue(memory, pointer)).toEqual({ problem })
  })
})

describe('findStrings', () => {
  test('finds each string that has a text, at the pointer that removes it', () => {
    fc.assert(
      fc.property(data, fc.string({ minLength: 1 }), (data, sought) => {
        const text = JSON.stringify({ data, metadata: { category: sought } })
        for (const place of findStrings(text, sought)) {
          expect(removeValue(text, place.pointer)).toMatchObject({
            removed: JSON.stringify(place.text),
          })
        }
        const whole = JSON.stringify({ data: { inner: data, it: sought }, metadata: {} })
        expect(findStrings(whole, sought).at(-1)).toEqual({ pointer: '/data/it', text: sought })
      }),
    )
  })

  test('finds a text whatever its case, and in values alone', () => {
    const text = '{"data":{"Calm":1,"a":["CALM and glad",{"b":"so calm"}]},"metadata":{"c":"calm"}}'
    expect(findStrings(text, 'calm').map(({ pointer }) => pointer)).toEqual([
      '/data/a/0',
      '/data/a/1/b',
    ])
  })
})
