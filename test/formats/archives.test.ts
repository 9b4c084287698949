import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportMemory, importMemory } from '@heirloom/adapters/formats'
import {
  type ArchiveItem,
  isOpenMemory,
  openArchive,
  type PartChoice,
  planParts,
  readOpenMemory,
  readParts,
} from '@heirloom/adapters/formats/sources'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { writeZip } from './zip-of.ts'

const folder = mkdtempSync(join(tmpdir(), 'archives-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const day = 86_400
const chatOf = (nth: number, text = `hello ${nth}`) =>
  `{"title":"Chat ${nth}", "create_time": ${1.7e9 + nth * 20 * day}.5,"mapping":{"a":{"message":{"content":{"parts":[${JSON.stringify(text)}]}}}},"conversation_id":"id-${nth}"}`
const claudeChat =
  '{"uuid":"u-1","name":"Tea","created_at":"2026-03-04T05:06:07.890123Z","chat_messages":[{"text":"hi"}]}'
const project =
  '{"uuid":"p-1","name":"Tea","docs":[{"content":"hot"}],"created_at":"2026-03-01T00:00:00Z"}'
const memories = '{"conversations_memory":"likes tea","project_memories":{"p-1":"hot"}}'

/** Imports an export, and returns the label, the exact conversations and the report of each memory. */
async function importAll(path: string, choice: PartChoice = {}) {
  const archive = await openArchive(path)
  try {
    const parts = []
    for await (const { part, file } of readParts(archive, planParts(archive.items, choice))) {
      const { document, format, report } = importMemory([file], { secrets: 'refuse' })
      const [restored] = exportMemory(document)
      expect(restored).toEqual(file)
      const text = new TextDecoder().decode(restored?.bytes)
      parts.push({ label: part.label, format, text, report })
    }
    return { parts, left: archive.left }
  } finally {
    await archive.close()
  }
}

const refusalOf = (path: string, choice?: PartChoice) =>
  importAll(path, choice).then(() => 'imported', String)

describe('an export of ChatGPT', () => {
  test.each([false, true])('is imported whole, of several files, zip64: %s', async (zip64) => {
    const entries = [
      { path: 'out/conversations-000.json', text: `[\n ${chatOf(1)} ,${chatOf(0)}]\n` },
      { path: 'out/conversations-001.json', text: `[${chatOf(2)}]`, compress: false },
      { path: 'out/chat.html', text: '<html>' },
      { path: 'out/user.json', text: '{"email":"a@b.c"}' },
      ...Array.from({ length: 7 }, (_, nth) => ({ path: `out/file-${nth}.png`, text: 'png' })),
    ]
    await writeZip(at('chatgpt.zip'), entries, { zip64 })
    const { parts, left } = await importAll(at('chatgpt.zip'))
    // In the order of time, each text exactly as it was.
    expect(parts.map(({ text }) => text)).toEqual([
      `[${[0, 1, 2].map((nth) => chatOf(nth)).join(',')}]`,
    ])
    expect(parts[0]).toMatchObject({
      format: 'chatgpt',
      report: {
        taken: [
          { what: 'conversations', count: 3 },
          { what: 'messages', count: 3 },
        ],
      },
    })
    expect(left.map(({ what }) => what)).toEqual([
      'out/chat.html',
      'out/user.json',
      'out/file-0.png, out/file-1.png, out/file-2.png, out/file-3.png, out/file-4.png and 2 more',
    ])
  })

  test('is cut by year, month or conversation, and chosen by day, title or id', async () => {
    const nths = [0, 1, 2, 3, 40]
    writeFileSync(at('conversations.json'), `[${nths.map((nth) => chatOf(nth)).join(',')}]`)
    const labelsOf = async (choice: PartChoice) =>
      (await importAll(at('conversations.json'), choice)).parts.map(({ label }) => label)
    expect(await labelsOf({ split: 'year' })).toEqual(['2023', '2024', '2026'])
    expect(await labelsOf({ split: 'month' })).toEqual(['2023-11', '2023-12', '2024-01', '2026-01'])
    expect(await labelsOf({ split: 'conversation', until: '2023-12-04' })).toEqual([
      '2023-11-14-id-0',
      '2023-12-04-id-1',
    ])
    expect(
      await labelsOf({ split: 'conversation', since: '2023-12-05', until: '2024-06-01' }),
    ).toEqual(['2023-12-24-id-2', '2024-01-13-id-3'])
    expect(await labelsOf({ only: 'id-40' })).toEqual([''])
    expect((await importAll(at('conversations.json'), { only: 'CHAT 4' })).parts[0]?.text).toBe(
      `[${chatOf(40)}]`,
    )
    expect(await refusalOf(at('conversations.json'), { only: 'nothing' })).toMatch(
      /matches no conversation/,
    )
  })

  test('of more than a memory is refused with what to do, and cut when a split is chosen', () => {
    const itemOf = (nth: number, bytes: number): ArchiveItem => {
      return { id: `id-${nth}`, title: '', at: 1.7e12, format: 'chatgpt', entry: 0, nth, bytes }
    }
    const items = Array.from({ length: 7 }, (_, nth) => itemOf(nth, 7 * 2 ** 20))
    expect(() => planParts(items, {})).toThrow(
      /7 conversations have 51380224 bytes.*--split year, month/,
    )
    expect(planParts(items.slice(1), {}).length).toBe(1)
    const long = [...items, itemOf(7, 40 * 2 ** 20)]
    expect(
      planParts(long, { split: 'year' }).map(({ label, items: own }) => [label, own.length]),
    ).toEqual([
      ['2023', 2],
      ['2023-2', 2],
      ['2023-3', 2],
      ['2023-4', 1],
      ['2023-5', 1],
    ])
  })
})

test('an export of Claude has conversations, projects and memories, also unpacked', async () => {
  const texts = {
    'conversations.json': `[${claudeChat}]`,
    'projects.json': `[${project}]`,
    'memories.json': `[${memories}]`,
    'users.json': '[{}]',
  }
  mkdirSync(at('claude'))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(at('claude'), name), text)
  symlinkSync('/etc/passwd', join(at('claude'), 'conversations-1.json'))
  await writeZip(at('claude.zip'), [
    ...Object.entries(texts).map(([path, text]) => ({ path, text })),
    { path: 'projects/p-2.json', text: project },
  ])
  for (const [path, projects] of [
    ['claude', 1],
    ['claude.zip', 2],
  ] as const) {
    const { parts, left } = await importAll(at(path))
    expect(parts[0]?.report.taken).toEqual([
      { what: 'conversations', count: 1 },
      { what: 'messages', count: 1 },
      { what: 'projects', count: projects },
      { what: 'documents', count: projects },
      { what: 'memories', count: 1 },
      { what: 'memories of projects', count: 1 },
    ])
    expect(left.map(({ what }) => what).join()).toContain('users.json')
  }
  expect((await importAll(at('claude'))).left.map(({ what }) => what).join()).toContain(
    'conversations-1.json',
  )
})

test('whatever the conversations are, each comes back once, exactly, in one memory or many', async () => {
  const chat = fc.tuple(fc.nat(9), fc.string(), fc.constantFrom('', ' ', '\n\t'))
  const split = fc.constantFrom(undefined, 'year', 'month', 'conversation')
  await fc.assert(
    fc.asyncProperty(fc.array(chat, { minLength: 1, maxLength: 8 }), split, async (chats, by) => {
      const texts = chats.map(([nth, text]) => chatOf(nth, text))
      const list = texts.map((text, nth) => `${chats[nth]?.[2]}${text}`).join(',')
      await writeZip(at('any.zip'), [{ path: 'conversations.json', text: `[${list}]` }])
      const { parts } = await importAll(at('any.zip'), { split: by as PartChoice['split'] })
      const back = parts.map(({ text }) => text.slice(1, -1)).join(',')
      const inOrder = texts.toSorted(
        (one, other) => Number(/\d+/.exec(one)) - Number(/\d+/.exec(other)),
      )
      expect(back).toBe(inOrder.join(','))
      expect(new Set(parts.map(({ label }) => label)).size).toBe(parts.length)
    }),
    { numRuns: 15 },
  )
})

describe('a hostile zip', () => {
  const small = [{ path: 'conversations.json', text: `[${chatOf(0)}]` }]

  test('is refused where it expands too much, before it is expanded', async () => {
    function* zeros() {
      for (let nth = 0; nth < 66; nth++) yield ' '.repeat(2 ** 20)
    }
    await writeZip(at('bomb.zip'), [{ path: 'conversations.json', text: zeros() }])
    expect(await refusalOf(at('bomb.zip'))).toMatch(/expands more than 200 times/)
  })

  test('is refused where a name leads out of it, or occurs twice', async () => {
    await writeZip(at('twice.zip'), [...small, { path: 'conversations.jsox', text: '[]' }])
    const change = (from: string, to: string) =>
      writeFileSync(
        at('changed.zip'),
        Buffer.from(
          readFileSync(at('twice.zip')).toString('latin1').replaceAll(from, to),
          'latin1',
        ),
      )
    change('conversations.jsox', 'conversations.json')
    expect(await refusalOf(at('changed.zip'))).toMatch(/two entries of one name/)
    change('conversations.jsox', '../ersations.jsox/')
    expect(await refusalOf(at('changed.zip'))).toMatch(/invalid relative path/)
    change('conversations.jsox', '\\onversations.jsox')
    expect(await refusalOf(at('changed.zip'))).toMatch(/invalid characters in fileName/)
  })

  test('is refused where its bytes do not have the checksum, or the size, that it says', async () => {
    await writeZip(
      at('plain.zip'),
      small.map((entry) => ({ ...entry, compress: false })),
    )
    const bytes = readFileSync(at('plain.zip'))
    bytes.write('HELLO', bytes.indexOf('hello'))
    writeFileSync(at('damaged.zip'), bytes)
    expect(await refusalOf(at('damaged.zip'))).toMatch(/checksum \(CRC-32\) is wrong/)
    writeFileSync(at('cut.zip'), bytes.subarray(0, bytes.length - 30))
    expect(await refusalOf(at('cut.zip'))).toMatch(/The zip is invalid: it cannot be read/)
  })

  test('has links and hidden copies that are not read', async () => {
    await writeZip(at('links.zip'), [
      ...small,
      { path: 'x/conversations.json', text: '/etc/passwd', mode: 0o120777 },
      { path: '__MACOSX/._conversations.json', text: 'resource fork' },
    ])
    const { parts, left } = await importAll(at('links.zip'))
    expect(parts.map(({ text }) => text)).toEqual([`[${chatOf(0)}]`])
    expect(left.map(({ what }) => what).join()).toContain('x/conversations.json (a symbolic link)')
  })

  test('of anything else is refused', async () => {
    await writeZip(at('other.zip'), [{ path: 'a.txt', text: 'x' }])
    expect(await refusalOf(at('other.zip'))).toMatch(/has no conversations/)
    await writeZip(at('half.zip'), [{ path: 'conversations.json', text: `[${chatOf(0)},` }])
    expect(await refusalOf(at('half.zip'))).toMatch(/ends in the middle/)
    const mixed = `[1,${chatOf(0)},{"a":"${'\\u0000'}"}]`
    await writeZip(at('mixed.zip'), [{ path: 'conversations.json', text: mixed }])
    const { parts, left } = await importAll(at('mixed.zip'))
    expect(parts.map(({ text }) => text)).toEqual([`[${chatOf(0)}]`])
    expect(left.map(({ what }) => what)).toEqual([
      'conversations.json, item 1 (1 bytes)',
      'conversations.json, item 3 (14 bytes)',
    ])
  })
})

describe('a backup of OpenMemory', () => {
  const when = '2026-03-04T05:06:07.890123+00:00'
  const id = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`
  const memory = (nth: number, content: string, state: string) => ({
    id: id(nth),
    user_id: id(7),
    app_id: id(8),
    content,
    metadata: {},
    state,
    created_at: when,
    updated_at: when,
    archived_at: null,
    deleted_at: state === 'deleted' ? when : null,
    category_ids: [id(9)],
  })
  const dated = { created_at: when, updated_at: when }
  const backup = {
    user: { id: id(7), user_id: 'ada', name: null, email: null, metadata: {}, ...dated },
    apps: [{ id: id(8), owner_id: id(7), name: 'cursor', is_active: true, ...dated }],
    categories: [{ id: id(9), name: 'taste', description: null, ...dated }],
    memories: [memory(1, 'Likes tea ☕', 'active'), memory(2, 'Likes rain', 'deleted')],
    memory_categories: [{ memory_id: id(1), category_id: id(9) }],
    status_history: [],
    access_controls: [],
    export_meta: { app_id_filter: null, from_date: null, version: '1', generated_at: when },
  }
  // Python writes it with an indentation of two, and escapes what is not ASCII.
  const text = JSON.stringify(backup, undefined, 2).replace('☕', '\\u2615')
  const lines = { path: 'memories.jsonl.gz', text: '\u001f' }

  test.each(['', 'om/'])('in the folder %j of its zip comes back byte for byte', async (inside) => {
    const entries = [{ path: `${inside}memories.json`, text }, lines]
    await writeZip(at('openmemory.zip'), entries)
    expect(await isOpenMemory(at('openmemory.zip'))).toBe(true)
    const { file, left } = await readOpenMemory(at('openmemory.zip'))
    expect([file.path, Buffer.from(file.bytes).toString()]).toEqual(['memories.json', text])
    expect(left).toEqual([
      { what: 'memories.jsonl.gz', why: 'memories.json has the same memories' },
    ])
    const { format, document, report } = importMemory([file], { secrets: 'refuse' })
    expect([format, report.taken]).toEqual([
      'mem0',
      [
        { what: 'memories', count: 2 },
        { what: 'categories', count: 1 },
        { what: 'apps', count: 1 },
      ],
    ])
    const [restored] = exportMemory(document)
    expect([restored?.path, Buffer.from(restored?.bytes ?? '').toString()]).toEqual([
      'memories.json',
      text,
    ])
  })

  test('is no export of Claude, and an export of Claude is none', async () => {
    await writeZip(at('claude-memories.zip'), [{ path: 'memories.json', text: memories }])
    expect(await isOpenMemory(at('claude-memories.zip'))).toBe(false)
    await expect(readOpenMemory(at('claude-memories.zip'))).rejects.toThrow(/no backup of/)
    const chats = { path: 'conversations.json', text: `[${claudeChat}]` }
    await writeZip(at('both.zip'), [{ path: 'memories.json', text }, chats])
    expect(await isOpenMemory(at('both.zip'))).toBe(false)
  })
})
