import { getEventListeners } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { longestWait } from '../../../../../test/tier.ts'
import { run } from '../../../test/command-harness.ts'
import { buildDocument } from './build-document.ts'

const folder = mkdtempSync(join(tmpdir(), 'snapshot-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the metadata of a file without any comes from options', async () => {
  const source = { bytes: Buffer.from('{"a":1}'), file: 'mem.json', importer: '' }
  const named = { ...source, category: 'research', agentId: 'ada', version: '2026-11' }
  expect(Buffer.from(await buildDocument(named)).toString()).toBe(
    '{"data":{"a":1},"metadata":{"category":"research","agentId":"ada","version":"2026-11"}}',
  )
  const lonely = { ...source, category: undefined, agentId: 'ada' }
  await expect(buildDocument(lonely)).rejects.toThrow('--agent-id and --version need --category.')
})

test.each([undefined, 'research'])('a byte order mark is not part of it (%s)', async (category) => {
  const data = '{"data":{"a":1},"metadata":{"category":"research"}}'
  const text = category === undefined ? data : '{"a":1}'
  const source = { bytes: Buffer.from(`\ufeff${text}`), file: 'mem.json', importer: '', category }
  expect(Buffer.from(await buildDocument(source)).toString()).toBe(data)
})

test('Ctrl-C ends a long search for secrets, and says that nothing was sent', async () => {
  const path = join(folder, 'long.json')
  const data = { notes: 'tea at four. '.repeat(400_000) }
  writeFileSync(path, JSON.stringify({ data, metadata: { category: 'any' } }))
  const controller = new AbortController()
  const interrupted = controller.signal
  const ended = run(['snapshot', path], { interrupted })
  // That of the command, that of the message and that of the thread.
  await vi.waitUntil(() => getEventListeners(interrupted, 'abort').length === 3, longestWait)
  controller.abort()
  expect(await ended).toEqual({
    code: 130,
    out: '',
    err: 'Interrupted while a memory was searched for secrets; it was not sent.\n',
  })
})

test('a folder is refused with the command that takes it', async () => {
  for (const [words, importer] of [
    [['snapshot', folder], 'heirloom import'],
    [['save', 'ada', folder], 'heirloom import --name ada'],
  ] as const) {
    const { code, err } = await run(words)
    expect([code, err]).toEqual([2, `${folder} is a folder. ${importer} takes folders.\n`])
  }
})

describe('a file that is no memory', () => {
  test.each([
    ['', 'is empty.'],
    ['[1]', 'is a JSON array; a memory is an object. heirloom import takes other files.'],
    ['null', 'is a JSON null; a memory is an object. heirloom import takes other files.'],
    ['7', 'is a JSON number; a memory is an object. heirloom import takes other files.'],
    ['{"a":x}', 'is invalid: it is not JSON (line 1, column 6).'],
    [
      '{"data":\n{"n":NaN}}',
      'is invalid: it has NaN (line 2, column 6), which JSON does not have; write null there.',
    ],
    [Buffer.from('\ufeff{}', 'utf16le'), 'is invalid: it is UTF-16; save it as UTF-8.'],
    ['\ufeff{}', 'has no data and metadata; add --category to seal all of it as data.'],
    [
      '{"data":{},"metadata":{"category":"any"},"more":1}',
      'has "more" beside data and metadata, which a memory does not have; move it into data.',
    ],
    [
      '{"data":{}}',
      'has data but no metadata, as in {"data":{…},"metadata":{"category":"research"}}; or add --category to seal all of it as data.',
    ],
    [
      '{"metadata":{}}',
      'has metadata but no data, as in {"data":{…},"metadata":{"category":"research"}}; or add --category to seal all of it as data.',
    ],
    ['{"a":1}', 'has no data and metadata; add --category to seal all of it as data.'],
  ])('%j %s', async (text, problem) => {
    const path = join(folder, 'memory.json')
    writeFileSync(path, text)
    const { code, out, err } = await run(['snapshot', path])
    expect([code, out, err]).toEqual([2, '', `${path} ${problem}\n`])
  })
})
