import assert from 'node:assert/strict'
import {
  type Card,
  type CataloguedToken,
  searchRank,
  searchWords,
  type TokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness } from '../../harness.ts'
import type { Law } from '../law.ts'
import { partiesFrom } from '../ledger/fixture.ts'
import { refuses } from '../refuses.ts'
import { fork, list, mint, readAll } from './fixture.ts'

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
  {
    name: 'returns search results by rank, then newest first, each once, page by page',
    holds: (harness) =>
      fc.assert(
        fc.asyncProperty(
          arbitraryCards,
          arbitrarySearch,
          fc.integer({ min: 1, max: 3 }),
          async (cards, search, limit) => {
            const [, other] = partiesFrom(harness)
            const { parent, born } = await family(harness, cards)
            const expected = expectedOrder(born, search)
            const { catalogue } = harness
            const found = await readAll((after) =>
              catalogue.tokens({ parent, search, limit, after }),
            )
            assert.deepEqual(idsOf(found), expected, search)
            const order = { sort: 'relevance', descending: true, search } as const
            const listed = await readAll((after) =>
              catalogue.listings({ ...order, parent, limit, after }),
            )
            assert.deepEqual(idsOf(listed), expected, search)
            const sorted = { ...order, sort: 'tokenId', descending: false } as const
            const byId = await readAll((after) =>
              catalogue.listings({ ...sorted, parent, limit, after }),
            )
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
      ),
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
    await list(maker, id, { price: wei(3n), forkPrice: wei(1n) })
    born.push({ id, card })
  }
  await harness.caughtUp()
  return { parent, born }
}

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
