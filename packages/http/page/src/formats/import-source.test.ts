import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildRequestBody } from '../create/build-request-body.ts'
import { emptyDraft } from '../create/draft.ts'
import type { Source } from '../create/source.ts'
import { exportFiles, listSaveChoices } from './export-files.ts'
import { importSource } from './import-source.ts'

const fileOf = (path: string, content: BlobPart) => ({ path, file: new Blob([content]) })

async function read(path: string, content: BlobPart): Promise<Source> {
  const imported = await importSource({ files: [fileOf(path, content)] })
  if (!('source' in imported)) throw new Error(imported.broken)
  return imported.source
}

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
  const imported = await importSource({ files: [fileOf(path, 'echo')], asText: true })
  if (!('source' in imported)) throw new Error(imported.broken)
  const saved = exportFiles({ document: await documentOf(imported.source), name: 'memory-1' })
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
  const imported = await importSource({ files })
  if (!('source' in imported)) throw new Error(imported.broken)
  const saved = exportFiles({ document: await documentOf(imported.source), name: 'memory-1' })
  expect([saved.name, saved.left]).toEqual(['memory-1.zip', []])
  expect(imported.source.suggested).toMatchObject({ tags: 'markdown' })
})

test.each([
  ['cut off', 'notes.json', '{"a":[1,2,\n', 'ends too early, in line', true],
  ['not JSON', 'notes.json', '{"a":1,\n"b":x}', 'it is not JSON from line 2, character 5 on', true],
  ['cut off without its name', 'notes', '{"a":[1,2,', 'begins like JSON', true],
  ['empty', 'notes.json', ' \n', 'The file is empty', false],
  ['no text', 'notes.json', Uint8Array.of(0xff, 0xfe, 0x00), 'it is not UTF-8', true],
])('a file that is %s is refused with the reason', async (_, path, content, reason, canBeText) => {
  const imported = await importSource({ files: [fileOf(path, content)] })
  expect(imported).toMatchObject({ broken: expect.stringContaining(reason), canBeText })
})

test('a broken file can be sealed as the text it is', async () => {
  const files = [fileOf('notes.json', '{"a":[1,2,')]
  expect(await importSource({ files, asText: true })).toMatchObject({
    source: { name: 'notes.json' },
  })
})

test('secrets are found once, at their place in the file', async () => {
  const { secrets } = await read(
    'a.json',
    JSON.stringify({ env: { TOKEN: `ghp_${'a1'.repeat(18)}` } }),
  )
  expect(secrets).toMatchObject([{ where: '/env/TOKEN', excerpt: 'ghp_a1…' }])
})

test('suggests a description without any value of the memory', async () => {
  const value = { learned: ['the secret plan'], user_notes: ['another'], count: 'value' }
  const { suggested } = await read('trading-notes.json', JSON.stringify(value))
  expect(suggested).toMatchObject({
    title: 'Trading notes',
    description: 'JSON: 3 members. Contains learned, user notes, count.',
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
