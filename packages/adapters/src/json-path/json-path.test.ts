import { isFailure, type Match, type MatchBounds, type Matches } from '@heirloom/core'
import fc from 'fast-check'
import { query as evaluate, type JSONValue } from 'json-p3'
import { describe, expect, test } from 'vitest'
import { cutDocument } from '../../../../test/harness/cut-document.ts'
import { times } from '../../../../test/tier.ts'
import { openCursor } from '../../../core/src/json/document-cursor.ts'
import { selectValues } from '../../../core/src/json/select-values.ts'
import { parsePath } from './parse-path.ts'

const sizes = { room: 2 ** 20, stretchBytes: 2 ** 20, mostBytes: 8 * 2 ** 20 }
const generous = { limit: 100, ...sizes }

/** Selects all pages of a path in a document that is cut into pieces. */
async function select(
  text: string,
  path: string,
  { cuts = [8192], ...bounds }: Partial<MatchBounds> & { cuts?: readonly number[] } = {},
) {
  const { reader, read, count } = cutDocument(text, cuts)
  const query = parsePath(path)
  const pages: Matches[] = []
  let after: string | undefined
  do {
    const cursor = await openCursor(reader, async () => {})
    const page = await selectValues(cursor, query, { ...generous, ...bounds, after })
    pages.push(page)
    after = page.next
  } while (after !== undefined)
  return { matches: pages.flatMap((page) => page.matches), pages, read, count }
}

/** A JSON text, whose objects may have a name twice. */
type Tree = string | { items: Tree[] } | { members: [name: string, value: Tree][] }

const scalars = [
  '0',
  '1.0',
  '2.5',
  '-3',
  '1e1',
  'true',
  'null',
  '"a"',
  '"ab\\"\\\\"',
  '"\\u00e9,]"',
]
const name = fc.constantFrom('a', 'b', 'c~/é', '0', '__proto__')
// A document is no scalar.
const { container: arbitraryTree } = fc.letrec<{ tree: Tree; container: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, fc.constantFrom(...scalars), tie('container')),
  container: fc.oneof(
    fc.record({ items: fc.array(tie('tree'), { maxLength: 5 }) }),
    fc.record({ members: fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }) }),
  ),
}))

function print(tree: Tree, space: string): string {
  if (typeof tree === 'string') return tree
  if ('items' in tree) return `[${tree.items.map((it) => space + print(it, space)).join()}${space}]`
  const members = tree.members.map(
    ([name, value]) => `${space}${JSON.stringify(name)}${space}:${print(value, space)}`,
  )
  return `{${members.join()}${space}}`
}

/** Returns the children of a tree but those whose name their object has twice. */
function childrenOf(tree: Tree): [string, Tree][] {
  if (typeof tree === 'string') return []
  if ('items' in tree) return tree.items.map((it, index) => [`${index}`, it])
  const names = tree.members.map(([name]) => name)
  return tree.members.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name))
}

function parse(tree: Tree): JSONValue {
  if (typeof tree === 'string') return JSON.parse(tree)
  const children = childrenOf(tree).map(([name, value]) => [name, parse(value)] as const)
  return 'items' in tree ? children.map(([, value]) => value) : Object.fromEntries(children)
}

/** Returns the pointers and exact texts of all values, in their order. */
function valuesIn(tree: Tree, space: string, pointer = ''): readonly Match[] {
  const text = print(tree, space)
  const below = childrenOf(tree).flatMap(([name, value]) =>
    valuesIn(value, space, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [{ pointer, bytes: Buffer.byteLength(text), text }, ...below]
}

const segments = [
  ...['.a', '["b"]', "['c~/é']", '[0]', '[1]', '[-1]', '[*]', '.*', '..a', '..*', '..[0]'],
  ...['[1:]', '[-2:]', '[:-1]', '[::2]', '[::-2]', '[3:0:-1]', '[1:3]', '[::0]'],
  ...[
    '[?@.a]',
    '[?@ > 0]',
    '[?@.a == @.b]',
    '[?@ == $.a]',
    '[?$.a]',
    "[?search(@, 'b')]",
    '[?!@[1]]',
  ],
  ...['[?count(@.*) > 1]', "['a', 0]", '[0, 0, -1]', "[?length(@) == 1 && @ != 'x']"],
]
const arbitraryPath = fc
  .array(fc.constantFrom(...segments), { maxLength: 4 })
  .map((all) => `$${all.join('')}`)

const arbitraryBounds = fc.record({
  cuts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
  limit: fc.integer({ min: 1, max: 4 }),
  room: fc.constantFrom(4, 30, 2 ** 20),
  stretchBytes: fc.constantFrom(1, 12, 2 ** 20),
  mostBytes: fc.constantFrom(30, 2 ** 20),
})

/** Returns what the library selects in the whole document. */
function expectedOf(path: string, tree: Tree, space: string): readonly Match[] {
  const { nodes } = evaluate(path, parse(tree))
  const selected = new Set(nodes.map((it) => `${it.toPointer()}`))
  return valuesIn(tree, space).filter((it) => selected.has(it.pointer ?? ''))
}

async function selectWithin(bounds: Partial<MatchBounds>, text: string, path: string) {
  try {
    return await select(text, path, bounds)
  } catch (error) {
    if (bounds.mostBytes === 30 && isFailure(error, 'part/too-costly')) return undefined
    throw error
  }
}

function shorten({ pointer = '', bytes, text = '' }: Match, { room }: { room: number }): Match {
  return bytes > room ? { pointer, bytes } : { pointer, bytes, text }
}

function expectPages(
  { matches, pages }: Awaited<ReturnType<typeof select>>,
  expected: readonly Match[],
  { limit, room }: { limit: number; room: number },
): void {
  expect(matches).toEqual(expected)
  for (const page of pages) {
    expect(page.matches.length).toBeLessThanOrEqual(limit)
    const texts = page.matches.map(({ text = '' }) => text).join('')
    expect(Buffer.byteLength(texts)).toBeLessThanOrEqual(room)
  }
}

describe('a path in a document', () => {
  test('selects what the library selects, each once and in order, however it is cut', async () => {
    const seen: string[] = []
    const property = fc.asyncProperty(
      arbitraryTree,
      fc.constantFrom('', '\n '),
      arbitraryPath,
      arbitraryBounds,
      async (tree, space, path, bounds) => {
        const expected = expectedOf(path, tree, space).map((it) => shorten(it, bounds))
        const result = await selectWithin(bounds, print(tree, space), path)
        seen.push(result === undefined ? 'refused' : `${expected.length > 0}`)
        if (result !== undefined) expectPages(result, expected, bounds)
      },
    )
    await fc.assert(property, { numRuns: times(100, 400) })
    // The property says something of each kind.
    expect(new Set(seen)).toEqual(new Set(['refused', 'true', 'false']))
  })

  test('has the exact text of each match', async () => {
    const text = '{"n":[1.0, 18446744073709551615,"\\u00e9",{ "x" : 1e2 }]}'
    const { matches } = await select(text, '$.n[*]')
    expect(matches).toEqual([
      { pointer: '/n/0', bytes: 3, text: '1.0' },
      { pointer: '/n/1', bytes: 20, text: '18446744073709551615' },
      { pointer: '/n/2', bytes: 8, text: '"\\u00e9"' },
      { pointer: '/n/3', bytes: 13, text: '{ "x" : 1e2 }' },
    ])
    expect((await select(text, '$.n[?length(@) == 1].x')).matches).toMatchObject([{ text: '1e2' }])
  })

  test('counts characters', async () => {
    const { matches } = await select('["😀", "ab", {"😀": 1}]', '$[?length(@) == 1]')
    expect(matches.map(({ pointer }) => pointer)).toEqual(['/0', '/2'])
  })

  test('needs no bound when it selects one value at most', async () => {
    const text = JSON.stringify({ data: ['a'.repeat(2000), 7] })
    const bounds = { mostBytes: 10, room: 1000 }
    expect((await select(text, '$.data[0]', bounds)).matches).toEqual([
      { pointer: '/data/0', bytes: 2002 },
    ])
    expect((await select(text, '$.data[1]', bounds)).matches).toMatchObject([{ text: '7' }])
  })

  test.each(['$.a', '$.o.a', '$[0]', '$.list["0"]', '$.list.a', '$.none[*]', '$.o[-1]', '$.o[0:]'])(
    '%s selects nothing where a name is there twice, or the kind differs',
    async (path) => {
      const text = '{"a":1,"a":2,"o":{"a":[1],"\\u0061":[2],"b":3},"0":1,"list":[1]}'
      expect((await select(text, path)).matches).toEqual([])
    },
  )

  test('has no member of a name that is there twice below it either', async () => {
    const text = '{"l":[{"a":{"a":1},"a":{"b":2},"b":3},{"a":4,"__proto__":{"a":5}}]}'
    const { matches } = await select(text, '$.l..*')
    expect(matches.map((it) => it.pointer)).toEqual([
      '/l/0',
      '/l/0/b',
      '/l/1',
      '/l/1/a',
      '/l/1/__proto__',
      '/l/1/__proto__/a',
    ])
    expect((await select(text, '$.l[?@.a]')).matches).toMatchObject([{ pointer: '/l/1' }])
  })
})

// The examples of RFC 9535 §1.5.
const store = JSON.stringify({
  store: {
    book: [
      { category: 'reference', author: 'Nigel Rees', title: 'Sayings of the Century', price: 8.95 },
      { category: 'fiction', author: 'Evelyn Waugh', title: 'Sword of Honour', price: 12.99 },
      {
        category: 'fiction',
        author: 'Herman Melville',
        title: 'Moby Dick',
        isbn: '0-553-21311-3',
        price: 8.99,
      },
      {
        category: 'fiction',
        author: 'J. R. R. Tolkien',
        title: 'The Lord of the Rings',
        isbn: '0-395-19395-8',
        price: 22.99,
      },
    ],
    bicycle: { color: 'red', price: 399 },
  },
})
const books = (...numbers: readonly number[]) => numbers.map((it) => `/store/book/${it}`)
test.each([
  ['$.store.book[*].author', books(0, 1, 2, 3).map((it) => `${it}/author`)],
  ['$..author', books(0, 1, 2, 3).map((it) => `${it}/author`)],
  ['$.store.*', ['/store/book', '/store/bicycle']],
  ['$.store..price', [...books(0, 1, 2, 3).map((it) => `${it}/price`), '/store/bicycle/price']],
  ['$..book[2].author', ['/store/book/2/author']],
  ['$..book[2].publisher', []],
  ['$..book[-1]', books(3)],
  ['$..book[0,1]', books(0, 1)],
  ['$..book[:2]', books(0, 1)],
  ['$..book[?@.isbn]', books(2, 3)],
  ['$..book[?@.price<10]', books(0, 2)],
])('the example %s of the RFC', async (path, pointers) => {
  expect((await select(store, path)).matches.map((it) => it.pointer)).toEqual(pointers)
})

const notes = Array.from({ length: 40_000 }, (_, id) => ({
  id,
  tag: id % 9_999 === 0 ? 'x' : 'y',
  text: `the note ${id} on interest rates, and on what else there was to say`,
}))
const long = JSON.stringify({ data: { notes, last: 1 } })

describe('a long list', () => {
  test('is read where its last items are, and no further', async () => {
    const { matches, read, count } = await select(long, '$.data.notes[-3:].id')
    expect(matches.map((it) => it.text)).toEqual(['39997', '39998', '39999'])
    expect(count).toBeGreaterThan(400)
    expect(read.size).toBeLessThan(6)
  })

  test('is filtered stretch by stretch, and goes on from answer to answer', async () => {
    const path = '$.data.notes[?@.tag=="x"].id'
    const { matches, pages } = await select(long, path, { mostBytes: 1.5 * 2 ** 20, limit: 3 })
    expect(matches.map((it) => it.text)).toEqual(['0', '9999', '19998', '29997', '39996'])
    expect(pages.length).toBeGreaterThan(2)
  })

  test('may have items that are longer than a stretch, but not than an answer', async () => {
    const text = JSON.stringify([1, 'a'.repeat(1.2 * 2 ** 20), 2, 'b'.repeat(2 ** 20), 3])
    const bounds = { mostBytes: 1.5 * 2 ** 20, room: 1000 }
    const { matches } = await select(text, '$[*]', bounds)
    expect(matches.map((it) => it.text ?? it.bytes)).toEqual(['1', 1258293, '2', 1048578, '3'])
    await expect(select(text, '$[*]', { mostBytes: 2 ** 20 })).rejects.toMatchObject({
      code: 'part/too-costly',
      facts: { problem: expect.stringContaining('/1, which is longer') },
    })
  })
})

const deep = `${'['.repeat(990)}${']'.repeat(990)}`

const ones = Array(999).fill(1)

describe('an attacker', () => {
  test.each([
    [
      'an expression that never ends',
      '$[?match(@, "(a|aa)*b")]',
      JSON.stringify(['a'.repeat(200)]),
    ],
    ['descendants of descendants', '$..*..*..*..*', deep],
    ['the same inside a filter', '$[?count($..*..*..*..*) > 1]', deep],
    ['a value again and again', `$[${Array(400).fill('*').join()}]`, JSON.stringify(ones)],
    ['more than it may look at', '$..a', `[${'0,'.repeat(4.5e6)}0]`],
    ['more nodes than fit', '$[?count($..*..*) > 1]', `[${'[0],'.repeat(5e5)}0]`],
  ])('gets %s refused, while others go on', async (_, path, text) => {
    const refused = expect(select(text, path)).rejects.toMatchObject({ code: 'part/too-costly' })
    const { matches } = await select('{"a":1}', '$.*')
    await refused
    expect(matches).toEqual([{ pointer: '/a', bytes: 1, text: '1' }])
  })

  test('cannot have a long expression compiled, which nothing could stop', async () => {
    const text = JSON.stringify([{ a: 'a'.repeat(1000), b: '.'.repeat(1000) }])
    const path = '$[?match(@.a, @.b)]'
    expect((await select(text, path)).matches).toHaveLength(1)
    const longer = text.replace('...', '....')
    await expect(select(longer, path)).rejects.toMatchObject({
      code: 'part/too-costly',
      facts: { problem: expect.stringContaining('regular expression') },
    })
  })

  test('is refused at once on a busy machine too, and nothing is left unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const busy = setInterval(() => spin(3))
    const text = JSON.stringify([{ a: 'a', b: '.'.repeat(1001) }])
    try {
      for (let round = 0; round < 200; round++)
        await expect(select(text, '$[?match(@.a, @.b)]')).rejects.toThrow('regular expression')
    } finally {
      clearInterval(busy)
      process.off('unhandledRejection', note)
    }
    expect(unhandled).toEqual([])
  })

  test('reaches the deepest value, and not the stack', async () => {
    const { matches } = await select(deep, '$..[?!@[0]]')
    expect(matches).toMatchObject([{ text: '[]' }])
    expect(matches[0]?.pointer).toBe('/0'.repeat(989))
  })

  test.each([
    ['$[', 'unclosed bracket'],
    [`$.${'a'.repeat(1000)}`, 'longer than 1000'],
    ['$[?@.a == ]', ''],
    ['data.notes', ''],
    [`$${'[?@'.repeat(240)}${']'.repeat(240)}x`, ''],
  ])('cannot send %.20s', (path, problem) => {
    expect(() => parsePath(path)).toThrow(
      expect.objectContaining({
        code: 'part/malformed',
        facts: { what: 'JSONPath', problem: expect.stringContaining(problem) },
      }),
    )
  })

  test('cannot invent a place to go on from', async () => {
    const from = async (after: string) => {
      const cursor = await openCursor(cutDocument('[1]', [8]).reader, async () => {})
      return selectValues(cursor, parsePath('$[*]'), { ...generous, after })
    }
    await expect(from('1.1')).rejects.toMatchObject({ code: 'part/malformed' })
    expect(await from('7~3')).toEqual({ matches: [] })
    expect(await from('0~9')).toEqual({ matches: [] })
  })
})

/** Keeps the thread busy for so many milliseconds. */
function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
