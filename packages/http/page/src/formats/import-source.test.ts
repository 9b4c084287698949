import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildRequestBody, type Choice, emptyDraft, type Source } from '../create/draft.ts'
import { exportFiles, listSaveChoices } from './export-files.ts'
import { importSource } from './import-source.ts'

const fileOf = (path: string, content: BlobPart) => ({ path, file: new Blob([content]) })

const oneFile = (path: string, content: BlobPart): Choice => ({
  kind: 'file',
  name: path,
  files: [fileOf(path, content)],
})

const load = async (choice: Choice, asText = false): Promise<Source> => {
  const imported = await importSource({ ...choice, asText })
  if (!('source' in imported)) throw new Error(imported.broken)
  return imported.source
}

const read = (path: string, content: BlobPart): Promise<Source> => load(oneFile(path, content))

const labelled = { ...emptyDraft, category: 'research' }

const documentOf = async (source: Source) =>
  new Uint8Array(await buildRequestBody(source, labelled, undefined).arrayBuffer())

test.each([
  ['a JSON object', 'notes.json', ' {"b":12345678901234567890,\n "a":1.0} '],
  ['a JSON list', 'list.json', '[1, 2,3]'],
  [
    'JSON lines',
    'graph.jsonl',
    '{"type":"entity","name":"a","entityType":"b","observations":[]}\n',
  ],
  ['Markdown', 'notes.md', '# A\r\n\ntext'],
])('%s is saved again byte for byte', async (_, path, text) => {
  const document = await documentOf(await read(path, text))
  expect(listSaveChoices(document).original).toBeDefined()
  const saved = exportFiles({ document, name: 'memory-1' })
  expect([saved.name, await saved.blob.text()]).toEqual([path, text])
})

test.each([
  ['log.unknown', 'log.unknown.txt'],
  ['run.bat', 'run.bat.txt'],
  ['.profile', '_profile.txt'],
  ['a\u202egpj.txt', 'a_gpj.txt'],
])('a text named %j is saved under a name that no system runs', async (path, name) => {
  const source = await load(oneFile(path, 'echo'), true)
  const saved = exportFiles({ document: await documentOf(source), name: 'memory-1' })
  expect([saved.name, await saved.blob.text()]).toEqual([name, 'echo'])
})

test('a JSON object is sealed exactly as it is', async () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(object, fc.nat(4), async (value, space) => {
      const text = JSON.stringify({ ...value, one: 1, two: 2, three: 3 }, undefined, space)
      const body = await buildRequestBody(await read('a.json', text), labelled, undefined).text()
      expect(body.startsWith(`{"data":${text},"metadata":{"category":"research",`)).toBe(true)
    }),
  )
})

test('a whole bundle keeps its metadata, and numbers beyond the precision of a browser', async () => {
  const text = '{"data":{"n":12345678901234567890}, "metadata":{"category":"x","v":1.0}}'
  const source = await read('b.json', text)
  expect([await source.data.text(), source.metadata]).toEqual([
    '{"n":12345678901234567890}',
    '{"category":"x","v":1.0}',
  ])
})

test('a folder of Markdown is saved as an archive', async () => {
  const files = [fileOf('a.md', '# A'), fileOf('b/c.md', 'C')]
  const source = await load({ kind: 'folder', name: 'notes', files })
  const saved = exportFiles({ document: await documentOf(source), name: 'memory-1' })
  expect([saved.name, saved.left]).toEqual(['memory-1.zip', []])
  expect(source.suggested).toMatchObject({ title: 'Notes', tags: 'markdown' })
})

test.each([
  ['cut off', 'notes.json', '{"a":[1,2,\n', 'notes.json ends too early (line', true],
  ['not JSON', 'notes.json', '{"a":1,\n"b":x}', 'notes.json is not JSON (line 2, column 5).', true],
  ['cut off without its name', 'notes', '{"a":[1,2,', 'notes ends too early (line 1', true],
  ['not JSON, and has no name', 'notes', '{a: 1}', 'notes begins like JSON', true],
  [
    'not a number of JSON',
    'notes',
    '{"a":\n [NaN]}',
    'notes has NaN (line 2, column 3), which JSON does not have; write null there.',
    true,
  ],
  ['in UTF-16', 'a.json', Buffer.from('\ufeff{}', 'utf16le'), 'a.json is UTF-16. Save it', false],
  ['empty', 'notes.json', ' \n', 'notes.json is empty.', false],
  ['no text', 'bin.png', Uint8Array.of(0x89, 0x50), 'bin.png is not text. Heirloom seals', false],
  ['text with zeros', 'a.txt', 'a\0b', 'a.txt is not text. Heirloom seals', false],
])('a file that is %s is refused with the reason', async (_, path, content, reason, canBeText) => {
  const imported = await importSource(oneFile(path, content))
  expect(imported).toMatchObject({ broken: expect.stringContaining(reason), canBeText })
})

test('a broken file can be sealed as the text it is', async () => {
  expect(await load(oneFile('notes.json', '{"a":[1,2,'), true)).toMatchObject({
    name: 'notes.json',
    explanation: expect.stringMatching(/^Recognised as text\. /),
  })
})

test('names each e-mail address of a file once', async () => {
  const text =
    '{"from":"ada@shop.example","to":["ben+x@mail.example.org","ada@shop.example"],"a":"@b"}'
  expect(await load(oneFile('shop.json', text))).toMatchObject({
    addresses: ['ada@shop.example', 'ben+x@mail.example.org'],
  })
})

test.each<[Choice['kind'], string, string]>([
  ['files', '2 files', 'None of the 2 files is text. Heirloom seals JSON and text files.'],
  ['folder', 'shots', 'shots holds no text file. Heirloom seals JSON and text files.'],
])('%s without any text are no broken folder', async (kind, name, broken) => {
  const files = ['a.png', 'b.png'].map((path) => fileOf(path, Uint8Array.of(0x89, 0x50)))
  expect(await importSource({ kind, name, files })).toEqual({ broken, canBeText: false })
})

test('a typed text that is not JSON is no broken file', async () => {
  const files = [fileOf('pasted.json', '{"a": 1, x}')]
  expect(await importSource({ kind: 'text', name: 'Pasted text', files })).toMatchObject({
    broken: 'This text is not JSON (line 1, column 10).',
  })
})

test('files are named as they were chosen, with the bytes of those that are sealed', async () => {
  const files = [
    fileOf('c.png', new Uint8Array([0x89, ...Array(500).fill(1)])),
    fileOf('a.md', '# Tea'),
    fileOf('b.md', 'milk'),
  ]
  expect(await load({ kind: 'folder', name: 'notes', files })).toMatchObject({
    name: 'notes',
    size: 9,
    left: [{ what: 'c.png' }],
    suggested: { title: 'Notes' },
  })
  expect(await load({ kind: 'files', name: '3 files', files })).toMatchObject({
    name: '3 files',
    size: 9,
    suggested: { title: '' },
  })
  const bundle = '{"data":{"n":1}, "metadata":{"category":"x"}}'
  expect(await read('bundle.json', bundle)).toMatchObject({ size: bundle.length })
})

const conversation = {
  title: 'Tea',
  create_time: 1,
  mapping: { a: { id: 'a', message: { author: { role: 'user' }, content: { parts: ['Hi'] } } } },
}

test.each<[string, unknown, string]>([
  ['conversations.json', [conversation], 'a ChatGPT export: 1 conversation, 1 message'],
  [
    'agent.af',
    { agents: [{ name: 'Ada' }], blocks: [], tools: [], sources: [{}, {}] },
    'a Letta agent file: 1 agent, 2 sources',
  ],
  [
    'graph.jsonl',
    { type: 'entity', name: 'a', entityType: 'b', observations: [] },
    'an MCP memory graph: 1 entity',
  ],
  ['any.json', { learned: [1] }, 'JSON: 1 named value'],
])('says how %s is recognised', async (path, value, description) => {
  const { explanation } = await read(path, JSON.stringify(value))
  expect(explanation).toContain(`Recognised as ${description}. `)
})

test('secrets are found once, at their place in the file', async () => {
  const { secrets } = await read(
    'a.json',
    JSON.stringify({ env: { TOKEN: `ghp_${'a1'.repeat(18)}` } }),
  )
  expect(secrets).toMatchObject([{ where: '/env/TOKEN', excerpt: 'ghp_a1…' }])
})

test('suggests no names that are for programs', async () => {
  const value = { learned: [1], created_at: 1, userId: 2, API_KEY: 3, _private: 4, data: 5, id: 6 }
  expect((await read('a.json', JSON.stringify(value))).suggested).toMatchObject({
    description: 'JSON: 7 named values. Contains learned.',
    tags: 'learned',
  })
  const agents = { agents: [{ name: 'Ada' }], blocks: [], tools: [], created_at: 'x' }
  expect((await read('a.af', JSON.stringify(agents))).suggested).toMatchObject({
    description: 'Letta agent file: 1 agent.',
    tags: 'letta',
  })
  expect((await read('a.json', '[1, 2]')).suggested).toMatchObject({ tags: '' })
})

test('suggests a description without any value of the memory', async () => {
  const value = { learned: ['the secret plan'], user_notes: ['another'], count: 'value' }
  const { suggested } = await read('trading-notes.json', JSON.stringify(value))
  expect(suggested).toMatchObject({
    title: 'Trading notes',
    description: 'JSON: 3 named values. Contains learned, user notes, count.',
    tags: 'learned, user notes, count',
  })
})

test('what is suggested passes the rules of a description', async () => {
  const { validateDraft } = await import('../create/draft.ts')
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.dictionary(fc.string(), fc.boolean()), async (name, value) => {
      const path = `${name.replaceAll(/[^a-z\u00e0-\u024f\u202e ]/gi, '')}x.json`
      const { suggested } = await read(path, JSON.stringify(value))
      const draft = { ...labelled, ...suggested, category: 'research', isPublic: true }
      expect(validateDraft(draft, false)).toEqual([])
    }),
  )
})
