import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mostCharacters } from '../../packages/http/src/mcp/tools/open-memory.ts'
import { toolFailure, toolResult } from '../harness/mcp/mcp.ts'
import { memory, openSessions } from '../harness/mcp/sessions.ts'

const { asAgent, folder } = openSessions()

const text = (data: object) => JSON.stringify({ data, metadata: { category: 'research' } })

test('reads a long memory in parts, without losing a character', async () => {
  const client = await asAgent()
  const data = { text: 'long, 𝄞 '.repeat(12_000) }
  const document = text(data)
  const args = { data, metadata: { category: 'research' } }
  const { tokenId } = await toolResult(client, 'memory_snapshot', args)
  const first = await toolResult(client, 'memory_download', { tokenId })
  expect(first).toMatchObject({ bytes: Buffer.byteLength(document), next: 0 })
  expect(JSON.stringify(first).length).toBeLessThan(1000)
  let read = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const part: { readonly text: string; readonly next: number | null } = await toolResult(
      client,
      'memory_download',
      { tokenId, offset },
    )
    expect(part.text.length).toBeLessThanOrEqual(mostCharacters)
    read += part.text
    offset = part.next
  }
  expect(read).toBe(document)
})

test('finds and reads what it needs of a memory', async () => {
  const client = await asAgent()
  const data = { notes: ['low tide', 'x'.repeat(50_000)] }
  const args = { data, metadata: { category: 'research' } }
  const { tokenId } = await toolResult(client, 'memory_snapshot', args)
  const outline = await toolResult(client, 'memory_outline', { tokenId, pointer: '/data' })
  expect(outline).toMatchObject({ members: [{ pointer: '/data/notes', count: 2 }] })
  const { matches } = await toolResult(client, 'memory_search_in', { tokenId, text: 'TIDE' })
  expect(matches).toMatchObject([{ pointer: '/data/notes/0', match: 'low tide' }])
  const path = { tokenId, path: '$.data.notes[*]' }
  expect(await toolResult(client, 'memory_select', { ...path, limit: 1 })).toMatchObject({
    matches: [{ pointer: '/data/notes/0', text: '"low tide"' }],
    next: '1~0',
  })
  const selected = await toolResult(client, 'memory_select', { ...path, after: '1~0' })
  expect(selected).toMatchObject({
    matches: [{ pointer: '/data/notes/1', text: null }],
    next: null,
  })
  const part = { tokenId, pointer: '/data/notes/1' }
  const first = await toolResult(client, 'memory_part', part)
  const rest = await toolResult(client, 'memory_part', { ...part, offset: first.next })
  expect(`${first.text}${rest.text}`).toBe(JSON.stringify(data.notes[1]))
  expect([first.verifiedBy, rest.next]).toEqual(['digest', null])
})

test('saves the versions of a name, each after the one that it knows', async () => {
  const client = await asAgent()
  const save = (mood: string, after: string) => ({
    name: 'ada/mcp',
    after,
    data: { mood },
    metadata: { category: 'research' },
  })
  const first = await toolResult(client, 'names_save', save('calm', '0'))
  expect(first.version).toBe(1)
  const moved = await toolFailure(client, 'names_save', save('lost', '0'))
  expect(moved).toMatchObject({ code: 'name/moved', facts: { tokenId: first.tokenId } })
  const opened = await toolResult<{ tokenId: string }>(client, 'names_open', { name: 'ada/mcp' })
  expect(opened).toMatchObject({ tokenId: first.tokenId, data: { mood: 'calm' } })
  const second = await toolResult<{ tokenId: string }>(
    client,
    'names_save',
    save('glad', opened.tokenId),
  )
  const { items } = await toolResult<{ items: object[] }>(client, 'names_log', { name: 'ada/mcp' })
  expect(items).toMatchObject([{ tokenId: second.tokenId }, { tokenId: first.tokenId }])
  const names = await toolResult(client, 'names_list', {})
  expect(names.items).toContainEqual({ name: 'ada/mcp', last: items[0] })
  const secret = { ...save('x', second.tokenId), data: { password: 'Bergen4711!' } }
  expect(await toolFailure(client, 'names_save', secret)).toMatchObject({
    code: 'import/secrets-found',
  })
  const none = await toolFailure(client, 'names_open', { name: 'nobody' })
  expect(none).toMatchObject({ code: 'name/not-found' })
})

test('renames and forgets a name; its memories stay', async () => {
  const client = await asAgent()
  const args = { name: 'cy', after: 0, data: { mood: 'calm' }, metadata: { category: 'x' } }
  const { tokenId } = await toolResult(client, 'names_save', args)
  const renamed = await toolResult(client, 'names_rename', { name: 'cy', to: 'cyd' })
  expect(renamed).toMatchObject({ name: 'cyd', last: { tokenId } })
  expect(await toolResult(client, 'names_forget', { name: 'cyd' })).toEqual({ name: 'cyd' })
  const gone = await toolFailure(client, 'names_open', { name: 'cyd' })
  expect(gone.code).toBe('name/not-found')
  expect(await toolResult(client, 'memory_download', { tokenId })).toMatchObject({
    data: args.data,
  })
})

test('says that the memory of a name is too long for one result', async () => {
  const client = await asAgent()
  const data = { text: 'x'.repeat(50_000) }
  const args = { name: 'long', after: '0', data, metadata: { category: 'x' } }
  await toolResult(client, 'names_save', args)
  const call = { name: 'names_open', arguments: { name: 'long' } }
  const { content } = await client.callTool(call)
  expect(JSON.stringify(content)).toContain('too long for one result: call again with offset 0')
})

test('saves and snapshots files of the folder, byte for byte', async () => {
  const client = await asAgent(undefined, { HEIRLOOM_FOLDER: folder })
  const document =
    '{ "data": {"big": 12345678901234567890, "n": 1.0}, "metadata":{"category":"x"} }'
  writeFileSync(join(folder, 'first.json'), document)
  const { tokenId } = await toolResult(client, 'memory_snapshot_file', { path: 'first.json' })
  const saved = await toolResult(client, 'memory_save', { tokenId, path: 'second.json' })
  const savedText = readFileSync(join(folder, 'second.json'), 'utf8')
  expect(savedText).toBe(
    '{"data":{"big": 12345678901234567890, "n": 1.0},"metadata":{"category":"x"}}',
  )
  const check = (more: object) => toolResult(client, 'memory_verify_file', { tokenId, ...more })
  expect(await check({ path: 'second.json' })).toMatchObject({ matches: true })
  expect(await check({ path: 'second.json', salt: saved.salt })).toMatchObject({ matches: true })
  writeFileSync(join(folder, 'third.json'), `${savedText}\n`)
  expect(await check({ path: 'third.json' })).toMatchObject({ matches: false })

  const outside = { path: '../stolen.json' }
  const unsafe = { tokenId, path: 'CLAUDE.md' }
  expect(await toolFailure(client, 'memory_save', unsafe)).toMatchObject({
    code: 'request/malformed',
  })
  for (const name of ['memory_snapshot_file', 'memory_verify_file', 'memory_save']) {
    const args = name === 'memory_snapshot_file' ? outside : { tokenId, ...outside }
    expect(await toolFailure(client, name, args)).toMatchObject({
      code: 'request/malformed',
      sentence: 'path must stay inside the folder of memories.',
    })
  }
  expect(await toolFailure(client, 'memory_save', { tokenId, path: 'second.json' })).toMatchObject({
    sentence: 'path must not exist yet, because files are never replaced.',
  })
})

test('refuses secrets in a memory and its card, unless the arguments allow them', async () => {
  const client = await asAgent(undefined, { HEIRLOOM_FOLDER: folder })
  const key = `0x${'4f3c2a1b'.repeat(8)}`
  const secret = { data: { private_key: key }, metadata: { category: 'x' } }
  const shown = { ...memory, card: { title: 'Open', preview: JSON.stringify(secret.data) } }
  writeFileSync(join(folder, 'secret.json'), JSON.stringify(secret))
  for (const [name, args] of [
    ['memory_snapshot', secret],
    ['memory_snapshot', shown],
    ['memory_snapshot_file', { path: 'secret.json' }],
  ] as const) {
    const { code, facts, sentence } = await toolFailure(client, name, args)
    expect([code, facts.count]).toEqual(['import/secrets-found', 1])
    expect(sentence).not.toContain(key)
    const redacted = await toolResult(client, name, { ...args, secrets: 'redact' })
    const { tokenId } = redacted
    const opened = await toolResult(client, 'memory_download', { tokenId })
    const token = await toolResult(client, 'catalog_get', { tokenId })
    expect(JSON.stringify([opened, token])).not.toContain(key)
    expect(JSON.stringify([opened, token])).toContain('(redacted-1)')
    const unredacted = await toolResult(client, name, { ...args, secrets: 'keep' })
    if (args !== shown) {
      const whole = await toolResult(client, 'memory_download', { tokenId: unredacted.tokenId })
      expect(whole).toMatchObject(secret)
    }
  }
})
