import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { openClientHarness } from '../../../test/client-harness.ts'
import { agent } from '../../../test/server-harness.ts'
import type { MemoriesQuery } from '../../client/requests.ts'
import type { Session } from '../tools/tool.ts'
import { recall } from './recall.ts'

const { signal } = new AbortController()
const metadata = { category: 'x' }

async function openSession() {
  const harness = await openClientHarness()
  const session: Session = { client: harness.client, account: agent.address }
  return { ...harness, session }
}

type Match = { readonly memory: string; readonly at: string }

/** Returns the matches of all pages, and the number of pages. */
async function recallAll(session: Session, text: string, limit: number) {
  const matches: Match[] = []
  let [after, pages]: [string | undefined, number] = [undefined, 0]
  do {
    const found: recall.Output = await recall(session, { text, limit, after }, { signal })
    matches.push(...(found.matches as Match[]))
    after = found.next
    pages += 1
  } while (after !== undefined)
  return { matches, pages }
}

const words = fc.constantFrom('tide', 'ebb', 'calm')
/** Lines of versions: each with a name or without one, and with a word for each version. */
const lines = fc.array(
  fc.record({ isNamed: fc.boolean(), versions: fc.array(words, { minLength: 1, maxLength: 3 }) }),
  { maxLength: 6 },
)

/** Saves the versions of a line, and returns what recall calls its last one. */
async function saveLine({ client }: Session, { name, versions }: Saved): Promise<string> {
  const save = name === undefined ? client.snapshot : client.memory(name).save
  let parentTokenId: string | undefined
  for (const text of versions) {
    const memory = { data: { text }, metadata }
    parentTokenId = (await save({ ...memory, ...(name === undefined && { parentTokenId }) }))
      .tokenId
  }
  return name ?? `${parentTokenId}`
}

type Saved = { readonly name?: string | undefined; readonly versions: readonly string[] }

test('finds every newest version that has the text, once, whatever the pages', async () => {
  await fc.assert(
    fc.asyncProperty(lines, words, fc.integer({ min: 1, max: 5 }), async (all, word, limit) => {
      const { session } = await openSession()
      const expected: string[] = []
      for (const [at, { isNamed, versions }] of all.entries()) {
        const name = isNamed ? `line-${at}` : undefined
        const last = await saveLine(session, { name, versions })
        if (versions.at(-1) === word) expected.push(last)
      }
      const { matches } = await recallAll(session, word, limit)
      expect(matches.map(({ memory }) => memory).toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: times(5, 20) },
  )
})

test('searches fifty memories in a call at most, and goes on', async () => {
  const { client, session } = await openSession()
  for (let at = 0; at < 53; at++) await client.snapshot({ data: { text: 'calm' }, metadata })
  await client.snapshot({ data: { text: 'tide' }, metadata })
  const first = await recall(session, { text: 'ebb', limit: 10 }, { signal })
  expect(first).toMatchObject({ matches: [], searched: '50 of 54 memories', next: '5' })
  expect(await recallAll(session, 'ebb', 10)).toEqual({ matches: [], pages: 2 })
})

test('a memory is found that is older than the thousand versions of another one', async () => {
  const { client, session } = await openSession()
  const { tokenId } = await client.snapshot({ data: { text: 'tide' }, metadata })
  await client.memory('ada').save({ data: { text: 'ebb' }, metadata })
  const { items } = await client.memories({ owner: agent.address })
  const own = { ...items[0], link: 'declared', creator: agent.address } as (typeof items)[number]
  const versions = Array.from({ length: 1500 }, (_, at) => ({
    ...own,
    tokenId: `${2000 - at}`,
    parent: `${1999 - at}`,
  }))
  const all = [...versions, ...items.filter((it) => it.tokenId === tokenId)]
  const memories = async ({ after = '0', owner }: MemoriesQuery = {}) => {
    const end = Number(after) + 100
    const page = owner === undefined ? [] : all.slice(Number(after), end)
    return { items: page, next: end < all.length ? `${end}` : null }
  }
  const listed = { ...session, client: { ...client, memories } }
  const found = await recall(listed, { text: 'tide', limit: 10 }, { signal })
  expect(found.matches).toMatchObject([{ memory: tokenId }])
})

test('the best answers of all memories show, and no more than are wanted', async () => {
  const { client, session } = await openSession()
  await client.snapshot({ data: { notes: Array(9).fill('tide') }, metadata })
  await client.snapshot({ data: { notes: ['the tides of may'] }, metadata })
  const { matches } = await recall(session, { text: 'tide', limit: 4 }, { signal })
  expect((matches as Match[]).map((it) => it.memory)).toEqual(Array(4).fill('1'))
})

test('an item with the text many times shows once, and names of structure never', async () => {
  const { client, session } = await openSession()
  const data = {
    content: 'tide and tide and tide',
    items: [{ content: 'tidal tides' }, { content: 'the tide' }, { tide: 'x', text: 'Tide' }],
    tide: { items: ['ebb'] },
  }
  await client.snapshot({ data, metadata })
  const at = async (text: string) => {
    const { matches } = await recall(session, { text, limit: 10 }, { signal })
    return (matches as Match[]).map((it) => it.at)
  }
  expect((await at('tide')).slice(0, 3)).toEqual([
    '/data/items/2',
    '/data/content',
    '/data/items/1',
  ])
  expect(await at('“tides”')).toEqual(['/data/items/0/content'])
  for (const text of ['data', 'metadata', 'text', 'cont']) expect(await at(text)).toEqual([])
  expect(await at('content')).toEqual(['/data/content'])
})

test('a question finds what answers it in other words, with who and when', async () => {
  const { client, session } = await openSession()
  const turns = [
    { speaker: 'Ada', date: '2026-10-01', text: 'I painted a lake at sunrise.' },
    { speaker: 'Ben', date: '2026-10-01', text: 'Which colours?' },
  ]
  await client.memory('diary').save({ data: { turns }, metadata })
  await client.memory('other').save({ data: { notes: ['What Ada likes: tea.'] }, metadata })
  const input = { text: 'When did Ada paint the sunrise?', limit: 2 }
  const { matches } = await recall(session, input, { signal })
  expect(matches[0]).toEqual({
    memory: 'diary',
    at: '/data/turns/0',
    who: 'Ada',
    when: '2026-10-01',
    text: 'I painted a lake at sunrise.',
    near: ['Which colours?'],
  })
  expect(JSON.stringify(matches).length).toBeLessThan(400)
})

test('of all memories the best matches come first', async () => {
  const { client, session } = await openSession()
  for (const text of ['tide', 'a tide', 'tides'])
    await client.snapshot({ data: { text }, metadata })
  const { matches } = await recall(session, { text: 'tide', limit: 10 }, { signal })
  expect((matches as Match[]).map(({ memory }) => memory)).toEqual(['1', '2', '3'])
})

test('reports what it cannot read, and goes on', async () => {
  const { client, session } = await openSession()
  await client.memory('gone').save({ data: { text: 'tide' }, metadata })
  const { tokenId } = await client.snapshot({ data: { text: 'tide' }, metadata })
  const searchIn: Session['client']['searchIn'] = async (id, ...more) =>
    client.searchIn(`${id}` === tokenId ? '77' : id, ...more)
  const found = await recall(
    { ...session, client: { ...client, searchIn } },
    { text: 'tide', limit: 10 },
    { signal },
  )
  expect(found).toMatchObject({
    matches: [{ memory: 'gone' }],
    unread: [{ memory: tokenId, code: 'token/not-found' }],
  })
})

test('says which memories are too large for an index', async () => {
  const { client, session } = await openSession()
  const { tokenId } = await client.memory('large').save({ data: { text: 'ebb' }, metadata })
  await client.memory('small').save({ data: { text: 'tide' }, metadata })
  const searchIn: Session['client']['searchIn'] = async (id, ...more) => {
    const found = await client.searchIn(id, ...more)
    return `${id}` === tokenId ? { ...found, isTooLarge: true } : found
  }
  const large = { ...session, client: { ...client, searchIn } }
  const { matches, note } = await recall(large, { text: 'tide', limit: 10 }, { signal })
  expect(matches).toMatchObject([{ memory: 'small' }])
  expect(note).toBe('Too large for an index, searched as it stands: large.')
})

test('refuses a cursor that names no memory, and stops when it is cancelled', async () => {
  const { client, session } = await openSession()
  await client.snapshot({ data: { text: 'tide' }, metadata })
  const input = { text: 'tide', limit: 10 }
  const lost = recall(session, { ...input, after: 'nobody' }, { signal })
  await expect(lost).rejects.toMatchObject({ code: 'value/invalid' })
  const cancelled = recall(session, input, { signal: AbortSignal.abort() })
  await expect(cancelled).rejects.toThrow()
})

test.each([
  ['the same page', () => 'a'],
  ['always another page', (nth: number) => `${nth}`],
])('a server that leads to %s without anything in it is refused', async (_, nextOf) => {
  const { session } = await openSession()
  let requests = 0
  const memories = async () => ({ items: [], next: nextOf(requests++) })
  const hostile = { ...session, client: { ...session.client, memories } }
  const recalled = recall(hostile, { text: 'tide', limit: 3 }, { signal })
  await expect(recalled).rejects.toMatchObject({ code: 'client/bad-answer' })
  // Two lists are read at once, of what is owned and of what is rented.
  expect(requests).toBeLessThan(2 * 1010)
})
