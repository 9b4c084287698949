import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { processorTime, yardstick } from '../../../../test/harness/yardstick.ts'
import { buildDocument } from './import-memory.ts'
import { readFrontMatter } from './importers/markdown.ts'
import { detectFormat, exportMemory, type FormatName, importMemory, inputLimits } from './index.ts'
import { bytesOf, fileOf } from './test/files.ts'

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bundleBytes = (data: unknown, metadata: object = {}) =>
  bytesOf(JSON.stringify({ data, metadata: { category: 'x', ...metadata } }))

/** Returns the code and message of the failure of an act; any other error is a bug. */
function failureOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (isFailure(error)) return `${error.code}: ${error.message}`
    throw error
  }
  return 'no failure'
}

const importAll = (files: readonly { path: string; bytes: Uint8Array }[], format?: FormatName) =>
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

describe('an unsafe path', () => {
  it.each(paths)('%j is left out of an import and named, and fails one without others', (path) => {
    const files = [fileOf('good.md', 'x'), fileOf(path, 'y')]
    const { document, report } = importAll(files)
    expect(exportMemory(document)).toEqual([fileOf('good.md', 'x')])
    const why = expect.stringMatching(/^its name /)
    expect(report.left).toEqual([{ what: path, why, isLoss: true }])
    const named = JSON.stringify(path).slice(0, 20)
    const refusal = failureOf(() => importAll(files.slice(1)))
    expect(refusal.startsWith(`import/malformed: ${named}`), refusal).toBe(true)
  })

  it.each([...paths, '.git/config', 'a/.GIT/hooks/post-checkout', '.git /x', 'git~1/config'])(
    '%j is not exported',
    (path) => {
      const texts = bundleBytes({ files: { 'good.md': 'x', [path]: 'y' } })
      expect(failureOf(() => exportMemory(texts, 'markdown'))).toMatch(/^import\/malformed/)
      if (path === '') return
      const origin = { importedFrom: { format: 'mem0', file: path } }
      const named = bundleBytes({ count: 0, results: [] }, origin)
      expect(failureOf(() => exportMemory(named))).toMatch(/^import\/malformed/)
    },
  )

  it('fails an import and an export as a duplicate, or as both a file and a folder', () => {
    const both = [fileOf('a.md', 'x'), fileOf('a.md/b.md', 'y')]
    expect(failureOf(() => importAll(both))).toMatch(/both a file and a folder/)
    expect(failureOf(() => importAll([fileOf('a.md', ''), fileOf('a.md', '')]))).toMatch(/twice/)
    const memory = bundleBytes({ files: { 'a.md': 'x', 'a.md/b.md': 'y' } })
    expect(failureOf(() => exportMemory(memory, 'markdown'))).toMatch(/both a file and a folder/)
  })
})

const deepJson = `${'['.repeat(5000)}${']'.repeat(5000)}`

describe('a file', () => {
  it.each<[string, string, FormatName | undefined, RegExp]>([
    ['without content', ' \n', undefined, /it is empty/],
    ['that is truncated', '{"agents":[', undefined, /ends too early \(line 1, column 12\)/],
    ['that closes the object around it', '1},"metadata":{"category":"x"}', 'json', /JSON/],
    ['of two values', '1,"z":2', 'json', /not one JSON value/],
    ['that nests too deep', deepJson, undefined, /nests deeper than 998 levels/],
    [
      'with a duplicate member',
      '{"data":{},"data":{},"metadata":{"category":"x"}}',
      undefined,
      /a member twice/,
    ],
    [
      'of lines, one of them truncated',
      '{"type":"entity"}\n{"type":',
      undefined,
      /ends too early \(line 2, column 9\)/,
    ],
    ['of lines, one of them not an object', '{"a":1}\n2', 'mcp-memory', /not JSON/],
    [
      'with a second byte order mark',
      '\uFEFF\uFEFF{"a":1}',
      undefined,
      /a byte order mark \(line 1, column 1\)/,
    ],
    [
      'of lines, one after a byte order mark',
      '{"a":1}\n\uFEFF{"b":2}',
      undefined,
      /\(line 2, column 1\)/,
    ],
    [
      'of lines, one a byte order mark',
      '{"a":1}\n\uFEFF\n{"b":2}',
      undefined,
      /\(line 2, column 1\)/,
    ],
    ['of another format than given', '{"a":1}', 'letta-af', /not an agent file of Letta/],
    ['of another format than given', '[1]', 'mem0', /not an export of mem0/],
    ['of another format than given', '[[]]', 'langgraph-store', /not a list of items/],
    ['of Python', '{"é": "😀",\r\n "n": NaN}', undefined, /has NaN \(line 2, column 7\)/],
    [
      'of lines',
      '{"a":1}\n\n{"n":2}\n {"n":-Infinity}',
      undefined,
      /Infinity \(line 4, column 8\)/,
    ],
    ['put together', '{"a":1}\n\uFEFF{"b":2}', undefined, /a byte order mark \(line 2, column 1\)/],
    ['of Python', '{"n":\n[-Infinity]}', undefined, /has Infinity \(line 2, column 3\)/],
  ])('%s is malformed', (_, text, format, problem) => {
    const refusal = failureOf(() => importAll([fileOf('a.json', text)], format))
    expect(refusal).toMatch(/^import\/malformed: The file is invalid: /)
    expect(refusal).toMatch(problem)
  })

  test('without an ending that begins as JSON is refused with the place', () => {
    const files = [fileOf('notes', '{"a":\n NaN}')]
    expect(failureOf(() => importAll(files))).toMatch(/has NaN \(line 2, column 2\)/)
    const noJson = [fileOf('notes', '[ ] tea')]
    expect(failureOf(() => importAll(noJson))).toMatch(/^import\/unknown-format/)
  })

  test('that is not UTF-8, or of unknown format, is refused', () => {
    const bytes = Uint8Array.of(0x22, 0xff, 0x22)
    expect(failureOf(() => importAll([{ path: 'a.json', bytes }]))).toMatch(/not UTF-8/)
    expect(failureOf(() => importAll([{ path: 'a.bin', bytes }]))).toMatch(
      /^import\/unknown-format/,
    )
    for (const marked of [true, false]) {
      const utf16 = Buffer.from(`${marked ? '\uFEFF' : ''}{"a":1}`, 'utf16le')
      for (const each of [utf16, Buffer.from(utf16).swap16()]) {
        expect(failureOf(() => importAll([{ path: 'a.json', bytes: each }]))).toMatch(
          /^import\/malformed: The file is invalid: it is UTF-16; save it as UTF-8/,
        )
      }
    }
    expect(failureOf(() => importAll([]))).toMatch(/it is empty/)
    expect(detectFormat([])).toBeUndefined()
    const two = [fileOf('a.json', '1'), fileOf('b.json', '1')]
    expect(failureOf(() => importAll(two))).toMatch(/^import\/unknown-format/)
    expect(failureOf(() => importAll(two, 'json'))).toMatch(/exactly one file/)
  })

  test('is refused for an empty category', () => {
    const nameless = { secrets: 'keep', metadata: { category: '' } } as const
    expect(failureOf(() => importMemory([fileOf('a.json', '1')], nameless))).toMatch(
      /^import\/malformed: .* its metadata.category is not a text/,
    )
    expect(failureOf(() => buildDocument('{', '{}'))).toMatch(/^json\/malformed/)
  })

  test('may have members named as those of a prototype', () => {
    const text = '{"__proto__":{"agents":[]},"constructor":1,"toString":2}'
    const { document, format } = importAll([fileOf('a.json', text)])
    expect(format).toBe('json')
    expect(decode(document)).toContain(text)
    expect(exportMemory(document)).toEqual([fileOf('a.json', text)])
    const folder = [fileOf('__proto__', 'x'), fileOf('constructor/a.md', 'y')]
    expect(exportMemory(importAll(folder).document)).toEqual(folder)
  })
})

describe('a folder', () => {
  test('of too many files, or of too many bytes, is refused', () => {
    const many = Array.from({ length: inputLimits.files + 1 }, (_, nth) => fileOf(`${nth}.md`, ''))
    expect(failureOf(() => importAll(many))).toMatch(/10001 files; the limit is 10000/)
    const long = { path: 'a.md', bytes: new Uint8Array(inputLimits.bytes + 1) }
    expect(failureOf(() => importAll([long]))).toMatch(/67108865 bytes; the limit is 67108864/)
  })

  test('leaves out binary files and the git history, and reports both', () => {
    const files = [
      fileOf('a.md', '---\n: [\n---\nx'),
      { path: 'b.png', bytes: Uint8Array.of(0x89, 0x50) },
      fileOf('nul.md', 'a\0b'),
      { path: 'shell.md', bytes: Buffer.from('\uFEFF# Notes', 'utf16le') },
      ...Array.from({ length: 3 }, (_, nth) => fileOf(`.git/objects/${nth}`, 'x')),
    ]
    const { document, report } = importAll(files)
    expect(exportMemory(document)).toEqual([files[0]])
    expect(report.left).toEqual([
      { what: '.git (3 files)', why: 'the git history is not part of the memory' },
      { what: 'b.png', why: 'it is not UTF-8 text', isLoss: true },
      { what: 'nul.md', why: 'it is not UTF-8 text', isLoss: true },
      { what: 'shell.md', why: 'it is UTF-16; save it as UTF-8', isLoss: true },
      { what: 'the front matter of a.md', why: 'it is not YAML; the text itself is imported' },
    ])
    expect(failureOf(() => importAll(files.slice(1, 3)))).toMatch(/it holds no text file/)
  })

  test.each(['.cursorrules', '.windsurfrules', '.clinerules', '.cursor/rules/style.mdc', 'a.mdc'])(
    'with only the rules of an editor in %s is one of texts, and comes back',
    (path) => {
      const files = [fileOf(path, 'Answer in short.')]
      expect(detectFormat(files)).toBe('markdown')
      expect(exportMemory(importAll(files).document)).toEqual(files)
    },
  )

  test('has no metadata that its texts disagree on', () => {
    const matter = (agent: string) => `---\nagent_id: ${agent}\ncategory: research\n---\n`
    const { document } = importAll([fileOf('a.md', matter('bob')), fileOf('b.md', matter('eve'))])
    expect(JSON.parse(decode(document)).metadata).toEqual({
      category: 'research',
      importedFrom: { format: 'markdown', counts: expect.anything() },
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
    ['an alias to a list', `${laughs}\ncategory: *j`],
    ['a tag', 'category: !!js/function "x"'],
  ])('with %s is read fast, and yields no metadata', async (_, yaml) => {
    const spent = await processorTime(() => {
      const { category } = readFrontMatter(yaml) ?? {}
      expect(category === undefined || category === 'x').toBe(true)
    })
    expect(spent).toBeLessThan(400 * (await yardstick()))
  })
})

describe('a memory', () => {
  it.each<[string, Uint8Array, FormatName | undefined]>([
    ['that is not JSON', bytesOf('{'), undefined],
    ['without data', bytesOf('{"metadata":{"category":"x"}}'), undefined],
    ['whose data is not an object', bytesOf('{"data":1,"metadata":{}}'), undefined],
    [
      'with metadata of another form',
      bundleBytes({}, { importedFrom: { format: 'mem0', form: 'value' } }),
      undefined,
    ],
    [
      'with metadata of another form',
      bundleBytes({ lines: 1 }, { importedFrom: { format: 'json', form: 'lines' } }),
      undefined,
    ],
    ['of another format', bundleBytes({ a: 1 }), 'letta-af'],
    ['of another format', bundleBytes({ files: { 'a.md': 1 } }), 'markdown'],
  ])('%s is not exported', (_, document, format) => {
    expect(failureOf(() => exportMemory(document, format))).toMatch(
      /^import\/malformed: The memory is invalid: /,
    )
  })

  test('of unknown origin is exported in a format that fits it', () => {
    const graph = { entities: [{ name: 'A', entityType: 'x', observations: [] }], relations: [] }
    expect(exportMemory(bundleBytes(graph), 'mcp-memory')).toEqual([
      fileOf('memory.jsonl', JSON.stringify(graph)),
    ])
    expect(exportMemory(bundleBytes({ files: { 'a/b.md': 'x' } }), 'markdown')).toEqual([
      fileOf('a/b.md', 'x'),
    ])
  })

  it('adds only white space around its file, for any metadata', () => {
    fc.assert(
      fc.property(fc.string(), (before) => {
        const memory = bundleBytes(
          { a: 1 },
          { importedFrom: { format: 'json', file: 'a', before } },
        )
        const [file] = exportMemory(memory)
        expect(decode(file?.bytes ?? bytesOf('')).trim()).toBe('{"a":1}')
      }),
    )
  })
})
