import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { documentText } from './document-text.ts'
import { readFrontMatter } from './importers/front-matter.ts'
import { detectFormat, exportMemory, type FormatName, importMemory, limits } from './index.ts'
import { bytesOf, fileOf } from './test/files.ts'

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bundle = (data: unknown, metadata: object = {}) =>
  bytesOf(JSON.stringify({ data, metadata: { category: 'x', ...metadata } }))

/** What a refusal says; a refusal is the only thing that may come instead of a memory. */
function refusalOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (isFailure(error)) return `${error.code}: ${error.message}`
    throw error
  }
  return 'nothing was refused'
}

const imported = (files: readonly { path: string; bytes: Uint8Array }[], format?: FormatName) =>
  importMemory(files, { secrets: 'keep', ...(format !== undefined && { format }) })

const paths = [
  '../x.md',
  'a/../../x.md',
  '/etc/passwd.md',
  'C:/x.md',
  'c:x.md',
  'a\\..\\x.md',
  'a//b.md',
  './a.md',
  'a/.',
  '',
  'nul\0.md',
  'bell\u0007.md',
  '\ud800.md',
  `${'a'.repeat(1100)}.md`,
]

describe('a name that leads elsewhere', () => {
  it.each(paths)('%j is not taken, and nothing with it', (path) => {
    const files = [fileOf('good.md', 'x'), fileOf(path, 'y')]
    expect(refusalOf(() => imported(files))).toMatch(/^import\/malformed: The folder .* name .*\.$/)
  })

  it.each([...paths, '.git/config', 'a/.GIT/hooks/post-checkout', '.git /x', 'git~1/config'])(
    '%j is not given back, from whomever the memory is',
    (path) => {
      const texts = bundle({ files: { 'good.md': 'x', [path]: 'y' } })
      expect(refusalOf(() => exportMemory(texts, 'markdown'))).toMatch(/^import\/malformed/)
      if (path === '') return
      const origin = { importedFrom: { format: 'mem0', file: path } }
      const named = bundle({ count: 0, results: [] }, origin)
      expect(refusalOf(() => exportMemory(named))).toMatch(/^import\/malformed/)
    },
  )

  it('of a file and of a folder at once, or twice, is refused both ways', () => {
    const both = [fileOf('a.md', 'x'), fileOf('a.md/b.md', 'y')]
    expect(refusalOf(() => imported(both))).toMatch(/a file and of a folder/)
    expect(refusalOf(() => imported([fileOf('a.md', ''), fileOf('a.md', '')]))).toMatch(/twice/)
    const memory = bundle({ files: { 'a.md': 'x', 'a.md/b.md': 'y' } })
    expect(refusalOf(() => exportMemory(memory, 'markdown'))).toMatch(/a file and of a folder/)
  })
})

const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`

describe('a file', () => {
  it.each<[string, string, FormatName | undefined, RegExp]>([
    ['with nothing in it', ' \n', undefined, /there is nothing in it/],
    ['that breaks off', '{"agents":[', undefined, /stops being JSON at byte 11/],
    ['whose JSON closes what is around it', '1},"metadata":{"category":"x"}', 'json', /JSON/],
    ['of two values', '1,"z":2', 'json', /not one JSON value/],
    ['that nests too deep', deep, undefined, /nests deeper than 998 levels/],
    ['with data twice', '{"data":{},"data":{},"metadata":{"category":"x"}}', undefined, /twice/],
    ['of lines, one of them broken', '{"type":"entity"}\n{"type":', undefined, /at byte 18/],
    ['of lines, one of them no object', '{"a":1}\n2', 'mcp-memory', /stops being JSON/],
    ['with a second byte order mark', '\uFEFF\uFEFF{"a":1}', undefined, /JSON at byte 3/],
    ['of lines, one after a byte order mark', '{"a":1}\n\uFEFF{"b":2}', undefined, /at byte 8/],
    ['of lines, one a byte order mark', '{"a":1}\n\uFEFF\n{"b":2}', undefined, /at byte 8/],
    ['of another format than is said', '{"a":1}', 'letta-af', /no agent file of Letta/],
    ['of another format than is said', '[1]', 'mem0', /no export of mem0/],
    ['of another format than is said', '[[]]', 'langgraph-store', /no list of items/],
  ])('%s is refused', (_, text, format, problem) => {
    const refusal = refusalOf(() => imported([fileOf('a.json', text)], format))
    expect(refusal).toMatch(/^import\/malformed: The file is invalid: /)
    expect(refusal).toMatch(problem)
  })

  test('that is no UTF-8 is refused, and one that nothing is known of', () => {
    const bytes = Uint8Array.of(0x22, 0xff, 0x22)
    expect(refusalOf(() => imported([{ path: 'a.json', bytes }]))).toMatch(/not UTF-8/)
    expect(refusalOf(() => imported([{ path: 'a.bin', bytes }]))).toMatch(/^import\/unknown-format/)
    expect(refusalOf(() => imported([]))).toMatch(/nothing in it/)
    expect(detectFormat([])).toBeUndefined()
    const two = [fileOf('a.json', '1'), fileOf('b.json', '1')]
    expect(refusalOf(() => imported(two))).toMatch(/^import\/unknown-format/)
    expect(refusalOf(() => imported(two, 'json'))).toMatch(/single file/)
  })

  test('is refused for its category only when that is empty', () => {
    const nameless = { secrets: 'keep', metadata: { category: '' } } as const
    expect(refusalOf(() => importMemory([fileOf('a.json', '1')], nameless))).toMatch(
      /^import\/malformed: .* its metadata.category is no text/,
    )
    expect(refusalOf(() => documentText('{', '{}'))).toMatch(/^json\/malformed/)
  })

  test('may name members as a prototype does', () => {
    const text = '{"__proto__":{"agents":[]},"constructor":1,"toString":2}'
    const { document, format } = imported([fileOf('a.json', text)])
    expect(format).toBe('json')
    expect(textOf(document)).toContain(text)
    expect(exportMemory(document)).toEqual([fileOf('a.json', text)])
    const folder = [fileOf('__proto__', 'x'), fileOf('constructor/a.md', 'y')]
    expect(exportMemory(imported(folder).document)).toEqual(folder)
  })
})

describe('a folder', () => {
  test('of too many files, or of too many bytes, is refused', () => {
    const many = Array.from({ length: limits.files + 1 }, (_, nth) => fileOf(`${nth}.md`, ''))
    expect(refusalOf(() => imported(many))).toMatch(/10001 files, and 10000 can be taken/)
    const long = { path: 'a.md', bytes: new Uint8Array(limits.bytes + 1) }
    expect(refusalOf(() => imported([long]))).toMatch(/67108865 bytes, and 67108864/)
  })

  test('leaves out what is no text, and the history of git, and says so', () => {
    const files = [
      fileOf('a.md', '---\n: [\n---\nx'),
      { path: 'b.png', bytes: Uint8Array.of(0x89, 0x50) },
      fileOf('nul.md', 'a\0b'),
      ...Array.from({ length: 3 }, (_, nth) => fileOf(`.git/objects/${nth}`, 'x')),
    ]
    const { document, report } = imported(files)
    expect(exportMemory(document)).toEqual([files[0]])
    expect(report.left).toEqual([
      { what: '.git (3 files)', why: 'a history is no memory' },
      { what: 'b.png', why: 'it is no text in UTF-8' },
      { what: 'nul.md', why: 'it is no text in UTF-8' },
      { what: 'the front matter of a.md', why: 'it is no YAML; the text itself is taken' },
    ])
    expect(refusalOf(() => imported(files.slice(1, 3)))).toMatch(/it holds no text/)
  })

  test('says nothing of its metadata where its texts disagree', () => {
    const matter = (agent: string) => `---\nagent_id: ${agent}\ncategory: research\n---\n`
    const { document } = imported([fileOf('a.md', matter('bob')), fileOf('b.md', matter('eve'))])
    expect(JSON.parse(textOf(document)).metadata).toEqual({
      category: 'research',
      importedFrom: { format: 'markdown' },
    })
  })
})

describe('front matter', () => {
  const laughs = ['a: &a [x,x,x,x,x,x,x,x]', ...'bcdefghij'.split('').map(lol)].join('\n')

  function lol(name: string) {
    const before = String.fromCharCode(name.charCodeAt(0) - 1)
    return `${name}: &${name} [${`*${before},`.repeat(8)}]`
  }

  it.each([
    ['many brackets', '['.repeat(16_000)],
    ['aliases of aliases', laughs],
    ['an alias that is no text', `${laughs}\ncategory: *j`],
    ['a tag', 'category: !!js/function "x"'],
  ])('of %s costs little, and says nothing', (_, yaml) => {
    const began = performance.now()
    const { category } = readFrontMatter(yaml) ?? {}
    expect(category === undefined || category === 'x').toBe(true)
    expect(performance.now() - began).toBeLessThan(3000)
  })
})

describe('a memory', () => {
  it.each<[string, Uint8Array, FormatName | undefined]>([
    ['that is no JSON', bytesOf('{'), undefined],
    ['without data', bytesOf('{"metadata":{"category":"x"}}'), undefined],
    ['whose data is no object', bytesOf('{"data":1,"metadata":{}}'), undefined],
    [
      'that says another form',
      bundle({}, { importedFrom: { format: 'mem0', form: 'value' } }),
      undefined,
    ],
    [
      'that says another form',
      bundle({ lines: 1 }, { importedFrom: { format: 'json', form: 'lines' } }),
      undefined,
    ],
    ['of another format', bundle({ a: 1 }), 'letta-af'],
    ['of another format', bundle({ files: { 'a.md': 1 } }), 'markdown'],
  ])('%s is not given back', (_, document, format) => {
    expect(refusalOf(() => exportMemory(document, format))).toMatch(
      /^import\/malformed: The memory is invalid: /,
    )
  })

  test('of unknown origin is given in a format that it is of', () => {
    const graph = { entities: [{ name: 'A', entityType: 'x', observations: [] }], relations: [] }
    expect(exportMemory(bundle(graph), 'mcp-memory')).toEqual([
      fileOf('memory.jsonl', JSON.stringify(graph)),
    ])
    expect(exportMemory(bundle({ files: { 'a/b.md': 'x' } }), 'markdown')).toEqual([
      fileOf('a/b.md', 'x'),
    ])
  })

  it('puts nothing but white space around its file, whatever its metadata says', () => {
    fc.assert(
      fc.property(fc.string(), (before) => {
        const memory = bundle({ a: 1 }, { importedFrom: { format: 'json', file: 'a', before } })
        const [file] = exportMemory(memory)
        expect(textOf(file?.bytes ?? bytesOf('')).trim()).toBe('{"a":1}')
      }),
    )
  })
})
