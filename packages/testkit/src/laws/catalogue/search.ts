import assert from 'node:assert/strict'
import {
  type Card,
  type CataloguedToken,
  type ListingsQuery,
  searchRank,
  searchWords,
  type TokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { partiesFrom } from '../ledger/fixture.ts'
import { refuses } from '../refuses.ts'
import { fork, list, mint, readAll, rent } from './fixture.ts'

const words = [
  'stoic',
  'stone',
  'Élan',
  'ﬁsh',
  'ΣΟΦΟΣ',
  '記憶',
  'a',
  'Straße',
  'memory',
  '2nd-hand',
]
const text = fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((all) => all.join(' '))

/** Cards of a few words, so that a search matches some of them in different fields. */
const arbitraryCards = fc.array(
  fc.record({
    title: text.map((title) => `${title} .`.trim()),
    tags: fc.array(
      text.map((tag) => `${tag} -`.slice(0, 32).trim()),
      { maxLength: 2 },
    ),
    category: text.map((category) => `${category} -`.slice(0, 32).trim()),
    description: text,
  }),
  { minLength: 2, maxLength: 5 },
)

const arbitrarySearch = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.integer({ min: 2, max: 6 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((all) =>
    ['st', ...all.map(([word, length]) => word.slice(0, length))].slice(1 - (all.length % 2)),
  )
  .map((all) => all.join(' '))
  .filter((search) => [...search].length > 1 && search !== 'sto')

/** The laws of searches. */
export const searchLaws: readonly Law<CatalogueHarness>[] = [
  forAll(
    'returns search results by rank, then newest first, each once, page by page',
    [arbitraryCards, arbitrarySearch, fc.integer({ min: 1, max: 3 })],
    async (harness, cards, search, limit) => {
      const [, other] = partiesFrom(harness)
      const { parent, born } = await family(harness, cards)
      const expected = expectedOrder(born, search)
      const { catalogue } = harness
      const found = await readAll((after) => catalogue.tokens({ parent, search, limit, after }))
      assert.deepEqual(idsOf(found), expected, search)
      const order = { sort: 'relevance', descending: true, search } as const
      const listed = await readAll((after) =>
        catalogue.listings({ ...order, parent, limit, after }),
      )
      assert.deepEqual(idsOf(listed), expected, search)
      const sorted = { ...order, sort: 'tokenId', descending: false } as const
      const byId = await readAll((after) => catalogue.listings({ ...sorted, parent, limit, after }))
      assert.deepEqual(idsOf(byId), expected.toSorted(byNumber), search)
      const [first] = born as readonly [Born]
      const forks = [await fork(other, first.id), await fork(other, first.id)]
      await harness.caughtUp()
      const query = { parent: first.id, search, limit: 1 }
      const shared = await readAll((after) => catalogue.tokens({ ...query, after }))
      const isFound = searchRank(first.card, searchWords(search)) !== undefined
      assert.deepEqual(idsOf(shared), isFound ? forks.toReversed() : [], search)
    },
  ),
  forAll(
    'finds cards with some words of a search, those with all first',
    [
      arbitraryCards,
      fc.uniqueArray(fc.constantFrom('stoic', 'fish', 'memory', 'elan'), { minLength: 1 }),
      fc.integer({ min: 1, max: 3 }),
    ],
    async (harness, cards, sought, limit) => {
      const { parent, born } = await family(harness, cards)
      const search = ['zzqq', 'how', ...sought].join(' ')
      const query = { search, match: 'any', sort: 'relevance', parent } as const
      const { catalogue } = harness
      const pages = await readAll((after) =>
        catalogue.listings({ ...query, descending: true, limit, after }),
      )
      const hits = new Map(born.map((it) => [it.id, hitsOf(it.card, sought)] as const))
      const found = idsOf(pages)
      const expected = born.flatMap(({ id }) => (hits.get(id)?.length ? [id] : []))
      assert.deepEqual(found.toSorted(byNumber), expected, search)
      const misses = found.map((id) => sought.length - (hits.get(id)?.length ?? 0))
      const whole = misses.filter((it) => it === 0).length
      assert.ok(
        misses.slice(0, whole).every((it) => it === 0),
        search,
      )
      const numbers = await catalogue.facets(query)
      const without: readonly string[] = sought.filter((word) =>
        born.every((it) => !hitsOf(it.card, [word])[0]),
      )
      assert.equal(numbers.leftOut[0], 'zzqq')
      assert.ok(numbers.leftOut.slice(1).every((it) => without.includes(it)))
      assert.equal(numbers.total, expected.length)
      const byId = { ...query, sort: 'tokenId', descending: false, limit } as const
      const sorted = await readAll((after) => catalogue.listings({ ...byId, after }))
      assert.deepEqual(idsOf(sorted), expected)
      const tokens = await readAll((after) => catalogue.tokens({ ...query, limit, after }))
      assert.deepEqual(idsOf(tokens), found)
    },
  ),
  {
    name: 'ranks rarer words and words of the title higher in a search for some words',
    holds: async (harness) => {
      const { parent, born } = await family(harness, [
        { title: 'Yonder lamps' },
        { title: 'Yonder chairs' },
        { title: 'Notes', description: 'On a single quokka' },
        { title: 'A quokka, yonder' },
        { title: 'Refunds of a quokka' },
      ])
      const { catalogue } = harness
      const idsFor = async (search: string, more: Partial<ListingsQuery> = {}) => {
        const query = { search, parent, match: 'any', sort: 'relevance', descending: true } as const
        const { items } = await catalogue.listings({ ...query, limit: 9, ...more } as ListingsQuery)
        return idsOf(items)
      }
      const [lamps, chairs, described, both, titled] = born.map(({ id }) => id)
      assert.deepEqual(await idsFor('refunding a quokka'), [titled, both, described])
      assert.deepEqual(await idsFor('what is a quoka'), [titled, both, described])
      const ranked = [lamps, titled, both, chairs]
      assert.deepEqual((await idsFor('refunds for yonder lamps')).slice(0, 4), ranked)
      const grouped = await idsFor('refunds for yonder lamps', { group: 'family' })
      assert.deepEqual(grouped.slice(0, 4), ranked)
      assert.deepEqual(await idsFor('zzzzqq'), [])
    },
  },
  {
    name: 'finds and counts memories by the format that they were imported from',
    holds: async (harness) => {
      const [maker] = partiesFrom(harness)
      const parent = await mint(harness, maker)
      const excerpts = ['/metadata/importedFrom/format']
      const card = { title: 'Calm answers' }
      const ids: TokenId[] = []
      for (const choice of [{ excerpts }, {}]) {
        const sealed = await harness.seal(maker.ledger.agent, choice)
        const id = await mint(harness, maker, { ...sealed, parent, card })
        await list(maker, id, { price: wei(3n) })
        ids.push(id)
      }
      await harness.caughtUp()
      const { catalogue } = harness
      const order = { parent, sort: 'relevance', descending: true, limit: 9 } as const
      for (const query of [
        { format: 'letta-af' },
        { search: 'letta calm' },
        { search: 'memgpt' },
      ]) {
        const { items } = await catalogue.listings({ ...order, ...query })
        assert.deepEqual(idsOf(items), ids.slice(0, 1), JSON.stringify(query))
      }
      const { formats } = await catalogue.facets({ parent, sort: 'relevance' })
      assert.deepEqual(formats, [{ value: 'letta-af', count: 1 }])
    },
  },
  {
    name: 'returns the most rented, the most forked and the best rated listings first',
    holds: async (harness) => {
      const [, other, third] = partiesFrom(harness)
      const { parent, born } = await family(harness, [
        { title: 'A' },
        { title: 'B' },
        { title: 'C' },
      ])
      const [one, two] = born.map(({ id }) => id) as [TokenId, TokenId]
      for (const renter of [other, third]) await rent(renter, two, 1)
      for (const renter of [other, other]) await rent(renter, one, 1)
      for (const id of [one, one, two]) await fork(other, id)
      await harness.caughtUp()
      const rated = [
        { tokenId: two, worth: 3000 },
        { tokenId: one, worth: 4500 },
      ]
      const read = (sort: 'rentals' | 'forks' | 'ratings', descending: boolean, group?: 'family') =>
        readAll((after) =>
          harness.catalogue.listings({ parent, sort, rated, descending, group, limit: 1, after }),
        ).then(idsOf)
      for (const group of [undefined, 'family'] as const) {
        assert.deepEqual(await read('rentals', true, group), [two, one])
        const most = { parent, sort: 'rentals', descending: true, group, limit: 2 } as const
        const { items } = await harness.catalogue.listings(most)
        assert.deepEqual(
          [two, one].map((id) => items.find((it) => it.tokenId === id)?.renters),
          [2, 1],
        )
        assert.deepEqual(await read('rentals', false, group), [one, two])
        assert.deepEqual(await read('forks', true, group), [one, two])
        assert.deepEqual(await read('ratings', true, group), [one, two])
        assert.deepEqual(await read('ratings', false, group), [two, one])
      }
    },
  },
  {
    name: 'refuses a search of one letter, or of more than 16 words, with `request/malformed`',
    holds: async (harness) => {
      const { parent, born } = await family(harness, [{ title: 'One little thing' }])
      const { catalogue } = harness
      const order = { sort: 'relevance', descending: true } as const
      const many = Array.from({ length: 17 }, (_, index) => `w${index}`).join(' ')
      for (const search of ['o', 'o l t', '記', many]) {
        await refuses('request/malformed', catalogue.tokens({ search, limit: 1 }))
        await refuses('request/malformed', catalogue.listings({ ...order, search, limit: 1 }))
      }
      const ids = born.map(({ id }) => id)
      for (const search of ['o little x', '', ' % ', `lit${' li'.repeat(40)}`]) {
        const { items } = await catalogue.tokens({ parent, search, limit: 1 })
        assert.deepEqual(idsOf(items), ids, search)
      }
    },
  },
]

type Born = { readonly id: TokenId; readonly card: Card }

/** Mints and lists a child of a new token for each card. */
async function family(
  harness: CatalogueHarness,
  cards: readonly Card[],
): Promise<{ readonly parent: TokenId; readonly born: readonly Born[] }> {
  const [maker] = partiesFrom(harness)
  const parent = await mint(harness, maker)
  const born: Born[] = []
  for (const card of cards) {
    const id = await mint(harness, maker, { parent, card })
    await list(maker, id, { price: wei(3n), rentalPricePerDay: wei(1n), forkPrice: wei(1n) })
    born.push({ id, card })
  }
  await harness.caughtUp()
  return { parent, born }
}

/** Returns those words that a card has. */
const hitsOf = (card: Card, sought: readonly string[]) =>
  sought.filter((word) => searchRank(card, [word]) !== undefined)

function expectedOrder(born: readonly Born[], search: string): readonly TokenId[] {
  const words = searchWords(search)
  const ranked = born.flatMap((it) => {
    const rank = searchRank(it.card, words)
    return rank === undefined ? [] : [{ ...it, rank }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank || byNumber(b.id, a.id)).map(({ id }) => id)
}

const idsOf = (items: readonly CataloguedToken[]) => items.map(({ tokenId }) => tokenId)
const byNumber = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other))
