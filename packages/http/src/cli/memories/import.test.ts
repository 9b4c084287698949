import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { writeZip } from '../../../../../test/formats/zip-of.ts'
import { folder, here, run, runJson, withServer } from '../../../test/command-harness.ts'

withServer()

const at = (...names: string[]) => join(folder, ...names)
// Assembled here, so that no scanner reports this file.
const secret = `sk-ant-${'api03-Zm9vYmFyYmF6cXV4'.repeat(3)}`

beforeEach(() => {
  rmSync(at('memories'), { recursive: true, force: true })
  mkdirSync(at('memories', 'system'), { recursive: true })
  mkdirSync(at('memories', '.git'))
  writeFileSync(
    at('memories', 'system', 'human.md'),
    '---\ndescription: who\n---\nAda likes tea.\n',
  )
  writeFileSync(at('memories', 'notes.md'), 'Short answers.\n')
  writeFileSync(at('memories', '.git', 'config.md'), 'not a memory')
})

/** Imports a path of which something is left out, and returns the report. */
const importInPart = async (...words: string[]) => {
  const { code, out } = await run(['import', ...words, '--json'], { env: here })
  expect(code).toBe(10)
  return JSON.parse(out)
}

const files = (...names: string[]) =>
  readdirSync(at(...names), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted()

describe('a folder', () => {
  test('is described with --dry-run, imported, and exported unchanged', async () => {
    const words = ['import', at('memories'), '--category', 'research', '--agent-id', 'ada']
    const dryRun = await runJson(...words, '--dry-run')
    expect(dryRun).toMatchObject({ dryRun: true, import: { format: 'markdown' } })
    const { tokenId } = await runJson(...words)
    const { metadata } = await runJson('download', `${tokenId}`)
    expect(metadata).toMatchObject({ category: 'research', agentId: 'ada' })
    await runJson('export', `${tokenId}`, at('restored'))
    expect(files('restored')).toEqual(['human.md', 'notes.md'])
    expect(readFileSync(at('restored', 'notes.md'), 'utf8')).toBe('Short answers.\n')
    const again = await run(['export', `${tokenId}`, at('restored')], { env: here })
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('exists already')])
  })

  test('is exported without files that programs execute or read', async () => {
    const names = ['CLAUDE.md', 'node_modules/x.md', 'package.json', '.envrc', 'run.sh']
    mkdirSync(at('memories', 'node_modules'))
    for (const name of names) writeFileSync(at('memories', name), '{}')
    const { tokenId } = await runJson('import', at('memories'), '--category', 'x')
    const part = await run(['export', `${tokenId}`, at('safe'), '--json'], { env: here })
    expect(part.code).toBe(10)
    const { asset, left } = JSON.parse(part.out)
    expect(asset).toMatch(new RegExp(`^eip155:31337/erc721:0x\\w{40}/${tokenId}$`))
    expect((left as { what: string }[]).map(({ what }) => what).toSorted()).toEqual(
      names.toSorted(),
    )
    expect(files('safe')).toEqual(['human.md', 'notes.md'])
    const { out } = await run(['export', `${tokenId}`, at('shown')], { env: here })
    expect(out).toMatch(/^Left out +CLAUDE\.md: agents take such a file as orders$/m)
    await runJson('export', `${tokenId}`, at('all'), '--unsafe-names')
    expect(files('all')).toEqual(files('memories').filter((name) => name !== 'config.md'))
  })

  test('is imported without names that no folder may have on some system', async () => {
    const odd = ['Q: what.md', 'back\\slash.md', 'tab\t.md']
    for (const name of odd) writeFileSync(at('memories', name), 'x')
    mkdirSync(Buffer.from(`${at('memories')}/caf\xe9`, 'latin1'))
    const { import: summary } = await importInPart(at('memories'), '--dry-run')
    const { left, taken } = summary as Record<string, readonly { readonly what: string }[]>
    expect(taken).toContainEqual({ what: 'texts', count: 2 })
    const names = left?.map(({ what }) => what) ?? []
    expect(names.toSorted()).toEqual([...odd, 'caf\u{FFFD}', '.git'].toSorted())
  })

  test('of rules of an editor is imported, and so is the one file', async () => {
    writeFileSync(at('memories', '.cursorrules'), 'Answer in short.')
    for (const path of [at('memories'), at('memories', '.cursorrules')]) {
      const { import: summary } = await runJson('import', path, '--dry-run')
      expect(summary).toMatchObject({ format: 'markdown' })
    }
  })

  test('is not exported when it has only such files', async () => {
    writeFileSync(at('package.json'), '{"scripts":{"postinstall":"evil"}}')
    const { tokenId } = await runJson('import', at('package.json'))
    const { code, err } = await run(['export', `${tokenId}`, at('none'), '--json'], { env: here })
    expect([code, JSON.parse(err).code]).toEqual([2, 'import/malformed'])
    await runJson('export', `${tokenId}`, at('none'), '--unsafe-names')
    expect(files('none')).toEqual(['package.json'])
  })

  test('with a secret is refused without --redact or --keep-secrets', async () => {
    writeFileSync(at('memories', 'keys.md'), `The key is ${secret}\n`)
    const importIt = (...words: string[]) =>
      run(['import', at('memories'), '--category', 'x', '--json', ...words], { env: here })
    const refused = await importIt()
    expect([refused.code, JSON.parse(refused.err).code]).toEqual([2, 'import/secrets-found'])
    expect(refused.err).not.toContain(secret)
    expect((await importIt('--redact', '--keep-secrets')).code).toBe(2)
    for (const [choice, isThere] of [
      ['--redact', false],
      ['--keep-secrets', true],
    ] as const) {
      const { out } = await importIt(choice)
      expect(out).not.toContain(secret)
      const { tokenId } = JSON.parse(out)
      const memory = await run(['download', tokenId], { env: here })
      expect(memory.out.includes(secret)).toBe(isThere)
    }
  })
})

test('a symbolic link is reported, and never followed', async () => {
  symlinkSync('/etc/passwd', at('memories', 'link.md'))
  writeFileSync(at('memories', 'CLAUDE.md'), 'Be exact.')
  symlinkSync('CLAUDE.md', at('memories', 'AGENTS.md'))
  const dryRun = await importInPart(at('memories'), '--dry-run')
  const { left, taken } = dryRun.import as Record<string, readonly { readonly what: string }[]>
  expect(taken).toContainEqual({ what: 'texts', count: 3 })
  const linkTo = (what: string, rest: string) => ({
    what,
    why: expect.stringMatching(`^it is a symbolic link to ${rest}; links are not followed$`),
    isLoss: true,
  })
  expect(left?.toSorted((one, other) => (one.what < other.what ? -1 : 1))).toEqual([
    { what: '.git', why: 'the git history is not part of the memory' },
    linkTo('AGENTS.md', 'CLAUDE.md'),
    linkTo('link.md', '/etc/passwd, outside of the folder'),
  ])
})

test('a symbolic link that is the path itself is followed, and reported', async () => {
  writeFileSync(at('memories', 'CLAUDE.md'), 'Be exact.')
  symlinkSync('CLAUDE.md', at('memories', 'AGENTS.md'))
  symlinkSync(at('memories', 'system'), at('memories', 'linked'))
  for (const [name, target] of [
    ['AGENTS.md', 'CLAUDE.md'],
    ['linked', at('memories', 'system')],
  ] as const) {
    const { code, out, err } = await run(['import', at('memories', name)], { env: here })
    expect([code, out]).toEqual([0, expect.stringMatching(/^Imported +texts: 1$/m)])
    const path = at('memories', name)
    expect(err).toBe(
      `${path} is a symbolic link to ${target}; it is followed, since you named it.\n`,
    )
  }
})

describe('an export of conversations', () => {
  const chatOf = (nth: number, text: string) => ({
    title: `Chat ${nth}`,
    create_time: 1_700_000_000 + nth * 2_592_000,
    conversation_id: `id-${nth}`,
    mapping: { a: { message: { content: { parts: [text] } } } },
  })
  const write = (...texts: readonly string[]) =>
    writeFileSync(
      at('conversations.json'),
      JSON.stringify(texts.map((text, nth) => chatOf(nth, text))),
    )

  test('is listed, saved as a memory for each month, and exported again', async () => {
    write('one', 'two')
    const words = ['import', at('conversations.json'), '--name', 'ada/chats', '--split', 'month']
    const { import: plan } = await runJson(...words, '--dry-run')
    const names = (it: unknown) =>
      (it as { memories: { name: string }[] }).memories.map(({ name }) => name)
    expect(names(plan)).toEqual(['ada/chats/2023-11', 'ada/chats/2023-12'])
    const { out } = await run(words, { env: here })
    expect(out).toMatch(/^ada\/chats\/2023-12 +token \d+, 1 conversation, \d+ bytes: Chat 1$/m)
    await runJson('export', 'ada/chats/2023-12', at('chats'))
    const restored = JSON.parse(readFileSync(at('chats', 'conversations.json'), 'utf8'))
    expect(restored).toEqual([chatOf(1, 'two')])
  })

  test('of which one has a secret is refused before anything is saved', async () => {
    write('one', `The key is ${secret}`)
    const words = ['import', at('conversations.json'), '--name', 'ada/leak', '--split', 'month']
    const { code, err } = await run([...words, '--json'], { env: here })
    expect([code, JSON.parse(err).code]).toEqual([2, 'import/secrets-found'])
    expect((await run(['log', 'ada/leak/2023-11'], { env: here })).code).not.toBe(0)
  })

  test.each([
    [['--split', 'month'], /--split needs --name/],
    [
      ['--since', '2026-02-30x'],
      /^--since must be a day, such as 2026-01-31; it is 2026-02-30x\.$/m,
    ],
    [['--split', 'month', '--name', 'a', '--after', '1'], /omit it with --split/],
  ])('with %j is refused', async (words, problem) => {
    const { code, err } = await run(['import', at('conversations.json'), ...words], { env: here })
    expect(code).toBe(2)
    expect(err).toMatch(problem)
  })
})

test('a database of LangGraph comes back as a database, and a password in an address is refused', async () => {
  const db = new DatabaseSync(at('checkpoints.sqlite'))
  db.exec(`CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT, checkpoint_id TEXT, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB);
    CREATE TABLE writes (thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB);
    INSERT INTO checkpoints VALUES ('ada', '', '1', NULL, 'json', CAST('{"v": 1}' AS BLOB), x'00ff')`)
  db.close()
  const { tokenId } = await runJson('import', at('checkpoints.sqlite'))
  await runJson('export', `${tokenId}`, at('graph'))
  const restored = new DatabaseSync(at('graph', 'checkpoints.sqlite'))
  const row = restored.prepare('SELECT *, typeof(checkpoint) AS kind FROM checkpoints').get()
  restored.close()
  expect(row).toMatchObject({ thread_id: 'ada', parent_checkpoint_id: null, kind: 'blob' })
  expect(Buffer.from(row?.checkpoint as Uint8Array).toString()).toBe('{"v": 1}')
  expect(Buffer.from(row?.metadata as Uint8Array).toString('hex')).toBe('00ff')
  const { code, err } = await run(['import', 'postgres://me:hidden@localhost/x'], { env: here })
  expect([code, err]).toEqual([2, expect.stringContaining('set PGPASSWORD instead')])
  expect(err).not.toContain('hidden')
})

describe('a file', () => {
  test('is imported with a report as text', async () => {
    const line = (name: string) =>
      JSON.stringify({ type: 'entity', name, entityType: 'person', observations: ['likes tea'] })
    writeFileSync(
      at('graph.jsonl'),
      `${line('Ada')}
${line('Bob')}
`,
    )
    const { code, out, err } = await run(['import', at('graph.jsonl')], { env: here })
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Format +mcp-memory\n/)
    expect(out).toMatch(/^Imported +entities: 2$/m)
    expect(out).toMatch(/^Token +\d+$/m)
  })

  test('that does not exist or is no memory is refused', async () => {
    expect(await run(['import', at('nothing')], { env: here })).toMatchObject({ code: 2, out: '' })
    writeFileSync(at('picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47]))
    expect((await run(['import', at('picture.png')], { env: here })).code).toBe(2)
  })
})

test('a JSON file that its user imported comes back under its own name', async () => {
  writeFileSync(at('chat.json'), '{"turns": [1.0]}\n')
  const { tokenId } = await runJson('import', at('chat.json'))
  await runJson('export', `${tokenId}`, at('chat'))
  expect(readFileSync(at('chat', 'chat.json'), 'utf8')).toBe('{"turns": [1.0]}\n')
})

test('--format accepts every format', async () => {
  const { formatNames } = await import('../../../../adapters/src/formats/format-name.ts')
  const { formats } = await import('./import.ts')
  expect(formats).toEqual(formatNames)
})

describe('an export of Claude', () => {
  const write = () => {
    const chat = { uuid: 'c1', name: 'Tea', created_at: '2026-01-02T00:00:00Z', chat_messages: [] }
    const project = { uuid: 'p1', name: 'Trip', created_at: '2026-01-03T00:00:00Z', docs: [] }
    mkdirSync(at('claude'), { recursive: true })
    for (const [name, items] of [
      ['conversations', [chat]],
      ['projects', [project]],
      ['memories', [{ conversations_memory: 'Likes tea.' }]],
    ] as const) {
      writeFileSync(at('claude', `${name}.json`), JSON.stringify(items))
    }
    return ['import', at('claude')]
  }

  test('is counted by what it has', async () => {
    const { out } = await run([...write(), '--dry-run'], { env: here })
    expect(out).toMatch(/^One memory +1 conversation, 1 project, 1 entry of memories, \d+ bytes$/m)
    const months = [...write(), '--dry-run', '--name', 'cl', '--split', 'month']
    const split = (await run(months, { env: here })).out
    expect(split).toMatch(/^cl\/2026-01 +1 conversation, 1 project, \d+ bytes$/m)
    expect(split).toMatch(/^cl\/undated +1 entry of memories, \d+ bytes$/m)
  })

  test('as one memory is reported as any other', async () => {
    const { out } = await run(write(), { env: here })
    expect(out).toMatch(
      /^Format +claude\nImported +conversations: 1\nImported +projects: 1\nImported +memories: 1\nMemory +\d+ bytes\n\nToken +\d+$/m,
    )
  })
})

test('the zip of OpenMemory comes back as its memories.json, and none of its conversations can be chosen', async () => {
  const memories = [{ id: 'm1', content: 'Likes tea', state: 'active' }]
  const text = JSON.stringify({ memories, export_meta: { version: '1' } }, undefined, 2)
  const lines = { path: 'memories.jsonl.gz', text: 'lines' }
  await writeZip(at('openmemory.zip'), [{ path: 'memories.json', text }, lines])
  const { tokenId, import: summary } = await runJson('import', at('openmemory.zip'))
  expect(summary).toMatchObject({ format: 'mem0', left: [{ what: 'memories.jsonl.gz' }] })
  await runJson('export', `${tokenId}`, at('openmemory'))
  expect(readFileSync(at('openmemory', 'memories.json'), 'utf8')).toBe(text)
  const chosen = await run(['import', at('openmemory.zip'), '--only', 'tea'], { env: here })
  expect([chosen.code, chosen.err]).toEqual([2, expect.stringContaining('no conversations')])
})

test.each([
  ['mem0:user_id=ada', 'The server http://127.0.0.1:1', 'MEM0_HOST and MEM0_API_KEY'],
  ['letta:agent-1', 'The server http://127.0.0.1:1', 'LETTA_BASE_URL and LETTA_API_KEY'],
  ['postgres://127.0.0.1:1/x', 'The database', 'its address'],
])('%s that cannot be reached is temporary, and says what to check', async (source, who, what) => {
  const nowhere = 'http://127.0.0.1:1'
  const env = { ...here, MEM0_HOST: nowhere, LETTA_BASE_URL: nowhere }
  const { code, err } = await run(['import', source], { env })
  expect(code).toBe(7)
  expect(err).toMatch(
    new RegExp(`^${who} does not answer \\(.+\\); check ${what}, and try again\\.\n$`),
  )
})
