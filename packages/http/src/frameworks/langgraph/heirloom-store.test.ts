import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { notes, questions, tinyMemories } from '../../../../../test/recall/shared-questions.ts'
import { frameworkServer } from '../../../test/framework-server.ts'
import { HeirloomStore } from './heirloom-store.ts'

const server = frameworkServer()
let names = 0
const newName = () => {
  names += 1
  return `store-${names}`
}
const storeOf = (name: string) => new HeirloomStore({ client: server.client(), name })

const label = fc.constantFrom('a', 'b', 'c')
const namespace = fc.array(label, { minLength: 1, maxLength: 3 })
const key = fc.constantFrom('k', 'l')
const value = fc.record({ n: fc.integer({ min: 0, max: 3 }), s: fc.constantFrom('x', 'y') })
const filter = fc.constantFrom<object | undefined>(
  ...[undefined, { n: 1 }, { n: { $gt: 0, $lte: 2 } }, { s: { $in: ['x'] } }, { s: { $ne: 'x' } }],
  ...[{ n: { $nin: [1] }, s: { $eq: 'y' } }, { n: { $gte: 2 } }, { n: { $lt: 2 } }, { t: 1 }],
)
const operations = fc.oneof(
  fc.record({ namespace, key, value: fc.option(value) }),
  fc.record({ namespace, key }),
  fc.record({ namespacePrefix: fc.array(label, { maxLength: 2 }), filter, limit: fc.constant(9) }),
  fc.record({
    matchConditions: fc.array(
      fc.record({
        matchType: fc.constantFrom('prefix' as const, 'suffix' as const),
        path: fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 1 },
    ),
    maxDepth: fc.constantFrom(1, 2, 9),
    limit: fc.constantFrom(2, 9),
    offset: fc.constantFrom(0, 1),
  }),
)

/** Returns results without times, and those of a search in one order. */
function comparable(result: unknown): unknown {
  if (Array.isArray(result)) {
    const all = result.map(comparable)
    return Array.isArray(result[0])
      ? all
      : all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  if (typeof result !== 'object' || result === null) return result ?? undefined
  const { namespace, key, value } = result as Record<string, unknown>
  return { namespace, key, value }
}

test('answers as the store in memory of LangGraph does', async () => {
  const property = fc.asyncProperty(fc.array(operations, { maxLength: 12 }), async (story) => {
    const [ours, theirs] = [storeOf(newName()), new InMemoryStore()]
    for (const operation of story as Parameters<InMemoryStore['batch']>[0]) {
      const [result] = await ours.batch([operation])
      // Their items change when they are written again, so they are copied first.
      const [expected] = structuredClone(await theirs.batch([operation]))
      expect(comparable(result)).toEqual(comparable(expected))
    }
  })
  await fc.assert(property, { numRuns: 25 })
})

test('stores of several processes share their items', async () => {
  const name = newName()
  const stores = [storeOf(name), storeOf(name)]
  const puts = Array.from({ length: 6 }, (_, at) => stores[at % 2]?.put(['notes'], `${at}`, { at }))
  await Promise.all(puts)
  const found = await storeOf(name).search(['notes'])
  expect(found.map((it) => it.value.at).toSorted()).toEqual([0, 1, 2, 3, 4, 5])
})

test('puts items first that have the words of a query', async () => {
  const store = storeOf(newName())
  await store.put(['n'], '1', { text: 'The user likes tea.' })
  await store.put(['n'], '2', { text: 'The user prefers short answers, always.' })
  await store.put(['n'], '3', { tags: [7] })
  const found = await store.search(['n'], { query: 'Is a shorter answer preferred?' })
  expect(found.map((it) => it.key)).toEqual(['2', '1', '3'])
  expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? 1)
})

test('answers the shared questions, of tiny memories too', async () => {
  const firstsOf = async (texts: readonly string[], queries: readonly string[]) => {
    const store = storeOf(newName())
    const puts = texts.map((text, at) => ({ namespace: ['n'], key: `${at}`, value: { text } }))
    await store.batch(puts)
    const found = await Promise.all(
      queries.map((query) => store.search(['n'], { query, limit: 1 })),
    )
    return found.map(([first]) => first?.key)
  }
  const answered = questions.filter(([, { at }]) => at !== undefined)
  const [texts, queries] = [notes.map(({ text }) => text), answered.map(([text]) => text)]
  const expected = answered.map(([, { at = '' }]) => /\d+/.exec(at)?.[0])
  expect(await firstsOf(texts, queries)).toEqual(expected)
  for (const [, tiny, all] of tinyMemories)
    expect(await firstsOf(tiny, all)).toEqual(all.map(() => '0'))
})

test('what it deletes nobody finds, as what others forget', async () => {
  const name = newName()
  const store = storeOf(name)
  await store.batch(notes.map((value, at) => ({ namespace: ['n'], key: `${at}`, value })))
  const ask = async () => {
    const { tokenId } = await server.client().memory(name).find()
    const found = await server.client().searchIn(tokenId, '“carillon”', { each: 'item' })
    const own = await store.search(['n'], { query: 'carillon' })
    return [found.matches.length, own.filter(({ key }) => key === '6').length]
  }
  expect(await ask()).toEqual([1, 1])
  await store.delete(['n'], '6')
  expect(await ask()).toEqual([0, 0])
})

test('what a caller does with its objects reaches nothing that is saved', async () => {
  const name = newName()
  const store = storeOf(name)
  const value = { tags: ['a'] }
  const put = store.put(['n'], '1', value)
  value.tags.push('b')
  await put
  const found = await store.get(['n'], '1')
  found?.value.tags.push('c')
  await store.put(['n'], '2', {})
  expect((await store.get(['n'], '1'))?.value).toEqual({ tags: ['a'] })
  expect((await storeOf(name).get(['n'], '1'))?.value).toEqual({ tags: ['a'] })
})

test('stands beside the members of another program', async () => {
  const name = newName()
  const notes = ['written elsewhere']
  const item = { namespace: ['n'], key: '1', value: { weight: 1.5 } }
  await server
    .client()
    .memory(name)
    .save({
      data: { notes, items: [item] },
      metadata: { category: 'notes', author: 'script' },
    })
  const store = storeOf(name)
  expect(await store.get(['n'], '1')).toMatchObject({ ...item, createdAt: new Date(0) })
  await store.delete(['n'], '1')
  const saved = await server.client().memory(name).latest()
  expect(saved).toMatchObject({ data: { notes, items: [] }, metadata: { author: 'script' } })
})
