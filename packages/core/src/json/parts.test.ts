import { arbitraryObjectText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutDocument } from '../../../../test/harness/cut-document.ts'
import { times } from '../../../../test/tier.ts'
import { hasCase } from './byte-filter.ts'
import { openCursor } from './document-cursor.ts'
import { locate, measureValue, readValue } from './locate.ts'
import { type Outline, outlineOf } from './outline-of.ts'
import { parsePointer, printPointer } from './pointer.ts'
import { parseSearchPlace } from './search-cursor.ts'
import { type DocumentMatch, searchDocument } from './search-document.ts'
import { type DocumentReader, wholeDocument } from './segments.ts'
import { foldText } from './text-matcher.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const freely = async () => {}

async function partOf(reader: DocumentReader, pointer: string): Promise<string> {
  const cursor = await openCursor(reader, freely)
  await locate(cursor, parsePointer(pointer))
  return decode(await readValue(cursor, await measureValue(cursor)))
}

type Bounds = { readonly depth: number; readonly width?: number; readonly from?: number }

async function outline(reader: DocumentReader, pointer: string, bounds: Bounds = { depth: 9 }) {
  const cursor = await openCursor(reader, freely)
  const tokens = parsePointer(pointer)
  await locate(cursor, tokens)
  return outlineOf(cursor, tokens, { width: 1000, from: 0, ...bounds })
}

async function search(
  reader: DocumentReader,
  text: string,
  limit = 1e6,
  mostBytes = 1e9,
  each?: 'place',
) {
  const matches: DocumentMatch[] = []
  let next: string | undefined
  let answers = 0
  do {
    const cursor = await openCursor(reader, freely)
    const place = next === undefined ? undefined : parseSearchPlace(next)
    const found = await searchDocument(cursor, text, { limit, mostBytes, each, place })
    matches.push(...found.matches)
    next = found.next
    answers++
  } while (next !== undefined)
  return { matches, answers }
}

/** Objects and lists whose names and texts often have the same words. */
const documentsOfWords = fc.dictionary(
  fc.constantFrom('data', 'tide', 'metadata'),
  fc.letrec((tie) => ({
    text: fc
      .array(fc.constantFrom('tide', 'Tide', 'id', '日', ' ', '\\'), { maxLength: 12 })
      .map((words) => words.join('')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.constantFrom('tide', 'Tide', 'id', 'tides', '日'), tie('value')),
    value: fc.oneof({ maxDepth: 4 }, tie('text'), tie('list'), tie('object')),
  })).value,
)

const arbitraryCuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

/** An object without duplicate names, as its exact text. */
const arbitraryDistinct = arbitraryObjectText.filter((text) => {
  const names = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum, it) => sum + names(it), Object.keys(value).length)
      : 0
  return names(JSON.parse(text)) === commasAndOpenings(text)
})

/** Counts the values below the outermost one by a scan of the text without its strings. */
function commasAndOpenings(text: string): number {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '0').replace(/\s/g, '')
  return (bare.match(/,/g)?.length ?? 0) + (bare.match(/[[{](?![\]}])/g)?.length ?? 0)
}

/** Lists the pointers and values below a parsed value. */
function valuesBelow(value: unknown, tokens: readonly string[] = []): [string, unknown][] {
  const here: [string, unknown] = [printPointer(tokens) as string, value]
  if (typeof value !== 'object' || value === null) return [here]
  return [
    here,
    ...Object.entries(value).flatMap(([name, it]) => valuesBelow(it, [...tokens, name])),
  ]
}

/** Describes a value from its exact text with a parser. */
function describePart(part: string) {
  const value: unknown = JSON.parse(part)
  const bytes = encode(part).length
  if (value === null) return { type: 'null', bytes }
  if (typeof value !== 'object') return { type: typeof value, bytes }
  const type = Array.isArray(value) ? 'array' : 'object'
  return { type, bytes, count: Object.keys(value).length }
}

const flatten = (it: Outline): Outline[] => [it, ...(it.members ?? []).flatMap(flatten)]

describe('a part', () => {
  test('is found by every pointer of a document, however it is cut, and parses to the same value', () =>
    fc.assert(
      fc.asyncProperty(arbitraryDistinct, arbitraryCuts, async (text, cuts) => {
        for (const [pointer, value] of valuesBelow(JSON.parse(text))) {
          const part = await partOf(cutDocument(text, cuts).reader, pointer)
          expect(text).toContain(part)
          expect(JSON.parse(part)).toEqual(value)
          expect(await partOf(wholeDocument(encode(text)), pointer)).toBe(part)
        }
      }),
      { numRuns: times(15, 60) },
    ))

  test('is the exact text, with its numbers, escapes and duplicate members', async () => {
    const list = '[ 18446744073709551615,-0.0 , "\\u0041\\/", {"a":1 ,"a":2} ]'
    const { reader } = cutDocument(`{"data" :{"l": ${list} },"metadata":{}}`, [3])
    expect(await partOf(reader, '/data/l')).toBe(list)
    expect(await partOf(reader, '/data/l/0')).toBe('18446744073709551615')
    expect(await partOf(reader, '/data/l/3')).toBe('{"a":1 ,"a":2}')
  })

  test.each([
    ['/data/x', 'data has no such member'],
    ['/data/a', 'more than once'],
    ['/data/l/2', 'no such item'],
    ['/data/l/-', 'no such item'],
    ['/data/l/01', 'no such item'],
    ['/data/n/0', 'neither an object nor an array'],
    ['/data/e/0', 'no such item'],
  ])('is not found at %s', async (pointer, problem) => {
    const text = '{"data":{"a":1,"\\u0061":2,"l":[1,2],"n":1,"e":[]}}'
    for (const reader of [wholeDocument(encode(text)), cutDocument(text, [4]).reader]) {
      await expect(partOf(reader, pointer)).rejects.toMatchObject({
        code: 'part/not-found',
        facts: { pointer, problem: expect.stringContaining(problem) },
      })
    }
  })

  test('is refused for a malformed pointer', () => {
    for (const pointer of ['a', '/~', '/~2', `/${'a'.repeat(4096)}`]) {
      expect(() => parsePointer(pointer)).toThrow(
        expect.objectContaining({ code: 'part/malformed' }),
      )
    }
  })
})

describe('an outline', () => {
  test('has the type, size and count of every value, however the document is cut', () =>
    fc.assert(
      fc.asyncProperty(arbitraryDistinct, arbitraryCuts, async (text, cuts) => {
        const described = flatten(await outline(cutDocument(text, cuts).reader, ''))
        const values = new Map(valuesBelow(JSON.parse(text)))
        expect(new Set(described.map((it) => it.pointer))).toEqual(new Set(values.keys()))
        for (const one of described) {
          const part = await partOf(wholeDocument(encode(text)), one.pointer ?? '')
          expect(one).toMatchObject(describePart(part))
        }
      }),
      { numRuns: times(15, 60) },
    ))

  test('goes on where the last one stopped, and lists duplicate members', async () => {
    const { reader } = cutDocument('{"a":1,"b":[0,0,0],"b":{},"c":null}', [5])
    const first = await outline(reader, '', { depth: 1, width: 2 })
    expect(first).toMatchObject({ count: 4, next: 2, members: [{}, { pointer: '/b', count: 3 }] })
    const second = await outline(reader, '', { depth: 1, width: 2, from: 2 })
    expect(second.members).toMatchObject([{ pointer: '/b', type: 'object' }, { pointer: '/c' }])
    expect(second.next).toBeUndefined()
    expect(await outline(reader, '', { depth: 1, from: 4 })).toMatchObject({ members: [] })
  })

  test('describes a level before the next one, and at most 1,000 members', async () => {
    const item = `{"x":[${'1,'.repeat(49)}1]}`
    const { reader } = cutDocument(`{"l":[${Array(300).fill(item).join(',')}]}`, [999])
    const all = flatten(await outline(reader, ''))
    expect(all).toHaveLength(1001)
    expect(all.filter((it) => /^\/l\/\d+$/.test(it.pointer ?? ''))).toHaveLength(300)
  })
})

describe('a search', () => {
  test('finds what a search of the parsed document finds, however it is cut and continued', () =>
    fc.assert(
      fc.asyncProperty(
        arbitraryDistinct,
        fc.oneof(
          fc.constantFrom('a', 'A', 'é', 'u00', '日', '\\', '"', '🧠', '\n'),
          fc.string({ minLength: 1, maxLength: 2 }),
        ),
        arbitraryCuts,
        fc.integer({ min: 1, max: 3 }),
        async (text, needed, cuts, limit) => {
          const expected = occurrences(JSON.parse(text), needed)
          const { matches } = await search(cutDocument(text, cuts).reader, needed, limit, 1)
          const places = matches.map((it) => [it.pointer, it.in, it.offset])
          expect(new Set(places.map(String))).toEqual(new Set(expected.map(String)))
          expect(places).toHaveLength(expected.length)
          for (const { match } of matches) expect(foldText(match)).toBe(foldText(needed))
          expect((await search(wholeDocument(encode(text)), needed)).matches).toEqual(matches)
        },
      ),
      { numRuns: times(75, 300) },
    ))

  test('for places finds each string once, and whole names that are no structure', () =>
    fc.assert(
      fc.asyncProperty(
        documentsOfWords,
        fc.constantFrom('tide', 'ID', 'a', '日'),
        arbitraryCuts,
        fc.integer({ min: 1, max: 3 }),
        async (document, needed, cuts, limit) => {
          const expected = placesOf(document, needed)
          const { reader } = cutDocument(JSON.stringify(document), cuts)
          const { matches } = await search(reader, needed, limit, 1, 'place')
          const places = matches.map((it) => [it.pointer, it.in])
          expect(places.map(String).toSorted()).toEqual(expected.map(String).toSorted())
        },
      ),
      { numRuns: times(75, 300) },
    ))

  test('returns the surroundings, and each match of a long string once', async () => {
    const line = `${'x'.repeat(99)} Needle \\u0041\\n`
    const { reader } = cutDocument(`{"s":"${line.repeat(50)}"}`, [7, 64])
    const { matches, answers } = await search(reader, 'needle', 20)
    expect(matches).toHaveLength(50)
    expect(answers).toBe(3)
    expect(new Set(matches.map((it) => it.offset)).size).toBe(50)
    expect(matches[1]).toMatchObject({
      pointer: '/s',
      before: `${'x'.repeat(59)} `,
      match: 'Needle',
      after: ` A\n${'x'.repeat(57)}`,
    })
  })

  test('refuses a place that the document does not have', async () => {
    const { reader } = cutDocument('{"a":[1]}', [3])
    const cursor = await openCursor(reader, freely)
    for (const text of ['0.1~0', '1~0', '0.0.0~0', '0.0.0.0~0']) {
      const bounds = { limit: 1, mostBytes: 9, place: parseSearchPlace(text) }
      await expect(searchDocument({ ...cursor }, 'a', bounds)).rejects.toMatchObject({
        code: 'part/malformed',
      })
    }
    for (const text of ['', '1', '~', '-1~0', '0.~1', 'a~1']) {
      expect(() => parseSearchPlace(text)).toThrow()
    }
  })

  test('ends sooner where many strings must be decoded, as those with escapes', async () => {
    const answersFor = async (value: string) => {
      const { reader } = cutDocument(`[${new Array(2000).fill(value)}]`, [64])
      return (await search(reader, 'bc', 1e6, 10_000)).answers
    }
    expect(await answersFor('"\\u0062"')).toBeGreaterThan(5 * (await answersFor('"xxxxxx"')))
  })

  test('folds no character to one that the filter of bytes compares exactly', () => {
    // No character beyond has a case.
    const codes = Array.from({ length: 0x1_f000 }, (_, code) => code + 0xa0)
    const characters = codes
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
    const folded = characters.map((it) => ({ it, to: foldText(it) }))
    const changed = folded.filter(({ it, to }) => to !== it)
    expect(changed.length).toBeGreaterThan(1000)
    expect(changed.filter(({ it, to }) => !hasCase(to) || to.length !== it.length)).toEqual([])
  })
})

/** Finds the strings that have a text, and the names below the outermost that are it, outside of lists. */
function placesOf(document: unknown, needed: string): [string, string][] {
  const values = new Map(valuesBelow(document))
  const isInList = (pointer: string): boolean => {
    const parent = pointer.slice(0, pointer.lastIndexOf('/'))
    return Array.isArray(values.get(parent)) || (parent !== '' && isInList(parent))
  }
  return [...values].flatMap(([pointer, value]) => {
    const tokens = parsePointer(pointer)
    const isNamed = foldText(tokens.at(-1) ?? '') === foldText(needed)
    const isName = tokens.length > 1 && !isInList(pointer) && isNamed
    const isValue = typeof value === 'string' && offsets(value, needed).length > 0
    return [
      ...(isName ? [[pointer, 'name'] as [string, string]] : []),
      ...(isValue ? [[pointer, 'value'] as [string, string]] : []),
    ]
  })
}

/** Finds the places of a text by decoding everything, as `[pointer, name or value, offset]`. */
function occurrences(document: unknown, needed: string): [string, string, number][] {
  const places = valuesBelow(document).flatMap(([pointer, value]) => {
    const parent = pointer.slice(0, pointer.lastIndexOf('/'))
    const isMember = pointer !== '' && !Array.isArray(new Map(valuesBelow(document)).get(parent))
    const name = isMember ? (parsePointer(pointer).at(-1) as string) : ''
    const own = typeof value === 'string' ? value : ''
    return [
      ...offsets(name, needed).map((at) => [pointer, 'name', at] as [string, string, number]),
      ...offsets(own, needed).map((at) => [pointer, 'value', at] as [string, string, number]),
    ]
  })
  return places
}

function offsets(text: string, needed: string): number[] {
  const found: number[] = []
  const [haystack, needle] = [foldText(text), foldText(needed)]
  for (
    let at = haystack.indexOf(needle);
    at >= 0;
    at = haystack.indexOf(needle, at + needle.length)
  ) {
    found.push(at)
  }
  return found
}

describe('a long document', () => {
  const notes = Array.from({ length: 20_000 }, (_, id) => ({
    id,
    text: `note ${id} ${'x'.repeat(60)}`,
  }))
  const text = JSON.stringify({ data: { notes, last: { deep: [1, 2, 3] } }, metadata: {} })

  test('is read only where it is needed', async () => {
    const outlined = cutDocument(text, [8192])
    expect(await outline(outlined.reader, '', { depth: 2 })).toMatchObject({
      members: [{ members: [{ count: 20_000 }, { count: 1 }] }, {}],
    })
    expect(outlined.read.size).toBeLessThan(8)
    const parted = cutDocument(text, [8192])
    expect(await partOf(parted.reader, '/data/notes/12345/id')).toBe('12345')
    expect(parted.read.size).toBeLessThan(8)
    const last = cutDocument(text, [8192])
    expect(await partOf(last.reader, '/data/last/deep/2')).toBe('3')
    expect(last.read.size).toBeLessThan(8)
    expect(last.count).toBeGreaterThan(200)
  })

  test('has its turns while it is scanned in one piece', async () => {
    const turns: number[] = []
    const pace = async (bytes: number) => {
      turns.push(bytes)
    }
    const cursor = await openCursor(wholeDocument(encode(text)), pace)
    await locate(cursor, ['data', 'last'])
    expect(Math.max(...turns)).toBeLessThanOrEqual(65_536)
    expect(turns.length).toBeGreaterThan(20)
  })

  test('is gone through once for a value, however deep it is', async () => {
    const tokens = Array.from({ length: 900 }, () => 'a')
    const closing = '}'.repeat(tokens.length)
    const text = encode(`${tokens.map(() => '{"a":').join('')}"${'x'.repeat(200_000)}"${closing}`)
    let scanned = 0
    const cursor = await openCursor(wholeDocument(text), async (bytes) => {
      scanned += bytes
    })
    await locate(cursor, tokens)
    expect(scanned).toBeLessThan(2 * text.length)
  })

  test('nests as deep as a document may, and deeper', async () => {
    const deep = `{"data":${'['.repeat(10_000)}"needle"${']'.repeat(10_000)},"metadata":{}}`
    const { reader } = cutDocument(deep, [4096])
    expect(await outline(reader, '', { depth: 9 })).toMatchObject({ count: 2 })
    expect((await search(reader, 'needle')).matches).toMatchObject([{ in: 'value' }])
    const deepest = `/data${'/0'.repeat(2000)}`
    expect((await partOf(reader, deepest)).length).toBe(16_008)
  })
})
