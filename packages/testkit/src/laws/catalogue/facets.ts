import assert from 'node:assert/strict'
import {
  type CataloguedToken,
  currencies,
  currencyOf,
  type Facets,
  type ListingsFilter,
  type ListingsQuery,
  type Offer,
  type TokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness } from '../../harness.ts'
import type { Law } from '../law.ts'
import { partiesFrom } from '../ledger/fixture.ts'
import {
  anyOrder,
  arbitraryOffer,
  fork,
  inDollars,
  list,
  mint,
  readAll,
  readListedIds,
} from './fixture.ts'

const offers: readonly Offer[] = ['sale', 'rent', 'fork']

const arbitraryListing = fc.record({
  terms: arbitraryOffer,
  isInDollars: fc.boolean(),
  maker: fc.nat({ max: 1 }),
  category: fc.constantFrom('trading', 'Zoo', 'zoo', 'ärzte', '\u{1F600}', '\u{FF01}'),
  tags: fc.subarray(['a', 'b', 'B', 'é'] as const),
})

type Made = { readonly parent: TokenId; readonly ids: readonly TokenId[] }

/** The laws of facets and families. */
export const facetLaws: readonly Law<CatalogueHarness>[] = [
  {
    name: 'returns the source of each family, or else its first listing in the order, and their number',
    holds: (harness) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 5 }),
          fc.constantFrom('listedAt', 'tokenId', 'rentalPricePerDay', 'relevance'),
          fc.boolean(),
          fc.integer({ min: 1, max: 2 }),
          async (forksOf, sort, descending, limit) => {
            const sources = await families(harness, forksOf)
            for (const query of queriesOf({ sort, descending, limit })) {
              const expected = await expectedFamilies(harness, query, sources)
              const found = await readAll((after) =>
                harness.catalogue.listings({ ...query, group: 'family', after }),
              )
              assert.deepEqual(
                found.map(({ tokenId, family }) => [tokenId, family]),
                expected,
              )
            }
            const first = sources.values().next().value
            const members = [...sources].filter(([, source]) => source === first)
            assert.deepEqual(
              (await readListedIds(harness, { family: first })).toSorted(byNumber),
              members.map(([id]) => id).toSorted(byNumber),
            )
          },
        ),
      ),
  },
  {
    name: 'counts the listings that match a filter, with each value that can be added to it',
    holds: (harness) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(arbitraryListing, { minLength: 1, maxLength: 4 }),
          fc.subarray<Offer>(['sale', 'rent', 'fork']),
          async (made, offered) => {
            const { parent } = await makeListings(harness, made)
            const filter = { parent, offers: offered, sort: 'tokenId' } as const
            const all = await readAll((after) =>
              harness.catalogue.listings({ ...anyOrder, parent, after }),
            )
            const listed = all.filter((token) =>
              offered.every((it) => offersOf(token).includes(it)),
            )
            assert.deepEqual(await harness.catalogue.facets(filter), countByHand(listed))
            const [one] = listed
            if (one?.card?.category === undefined) return
            const { category } = one.card
            const narrowed = await harness.catalogue.facets({ ...filter, category })
            const { categories } = await harness.catalogue.facets(filter)
            const own = categories.find(({ value }) => value === category)
            assert.deepEqual(narrowed.total, own?.count)
          },
        ),
      ),
  },
  {
    name: 'corrects the words of a search that no card has',
    holds: async (harness) => {
      const [maker] = partiesFrom(harness)
      const parent = await mint(harness, maker)
      const card = { title: 'Xylophone quartets', tags: ['xylograph'] }
      await list(maker, await mint(harness, maker, { parent, card }), { price: wei(3n) })
      await harness.caughtUp()
      const correctionOf = async (search: string, more: Partial<ListingsFilter> = {}) =>
        (
          await harness.catalogue.facets({
            parent,
            search,
            sort: 'relevance',
            ...more,
          } as ListingsFilter)
        ).correction
      assert.equal(await correctionOf('xylofone'), 'xylophone')
      assert.equal(await correctionOf('Xylohpone quartest'), 'xylophone quartets')
      assert.equal(await correctionOf('xylogarph quart'), 'xylograph quart')
      for (const search of ['xylo', 'quartets', 'xylofone zzzzzz', 'zzzzzz', '']) {
        assert.equal(await correctionOf(search), undefined, search)
      }
      assert.equal(await correctionOf('xylophone', { category: 'none' }), undefined)
    },
  },
]

async function makeListings(
  harness: CatalogueHarness,
  made: readonly (typeof arbitraryListing extends fc.Arbitrary<infer It> ? It : never)[],
): Promise<Made> {
  const makers = partiesFrom(harness)
  const parent = await mint(harness, makers[0])
  const ids: TokenId[] = []
  for (const { terms, isInDollars, maker, category, tags } of made) {
    const by = makers[maker === 0 ? 0 : 1]
    const card = { title: 'Counted', category, tags: [...tags] }
    const id = await mint(harness, by, { parent, card })
    await list(by, id, isInDollars ? inDollars(terms) : terms)
    ids.push(id)
  }
  await harness.caughtUp()
  return { parent, ids }
}

function countByHand(listed: readonly CataloguedToken[]): Facets {
  const count = <Value extends string>(valuesOf: (token: CataloguedToken) => readonly Value[]) => {
    const values = [...new Set(listed.flatMap(valuesOf))]
    const counted = values.map((value) => ({
      value,
      count: listed.filter((token) => valuesOf(token).includes(value)).length,
    }))
    return counted.toSorted((a, b) => b.count - a.count || compareBytes(a.value, b.value))
  }
  const asRecord = <Value extends string>(
    all: readonly Value[],
    valuesOf: (token: CataloguedToken) => readonly Value[],
  ) =>
    Object.fromEntries(
      all.map((value) => [value, listed.filter((it) => valuesOf(it).includes(value)).length]),
    ) as Record<Value, number>
  return {
    ...{ total: listed.length, isCut: false, families: listed.length, correction: undefined },
    offers: asRecord(offers, offersOf),
    currencies: asRecord(currencies, ({ terms }) => [currencyOf(terms)]),
    categories: count(({ card }) => (card?.category === undefined ? [] : [card.category])),
    tags: count(({ card }) => card?.tags ?? []),
    creators: count(({ creator }) => [creator]),
  }
}

function offersOf({ terms }: CataloguedToken): readonly Offer[] {
  const { price, rentalPricePerDay, forkPrice } = terms.dollars ?? terms
  return offers.filter(
    (offer) => ({ sale: price, rent: rentalPricePerDay, fork: forkPrice })[offer] > 0n,
  )
}

// Databases keep accounts in lower case.
const compareBytes = (one: string, other: string) =>
  Buffer.compare(Buffer.from(sortable(one)), Buffer.from(sortable(other)))

const sortable = (value: string) => (value.startsWith('0x') ? value.toLowerCase() : value)

type Ordered = Pick<ListingsQuery, 'descending' | 'limit'> & { readonly sort: string }

/** The listings of this law: all have a word that no other card has. */
const word = 'kinfolk'

const queriesOf = (order: Ordered): readonly ListingsQuery[] =>
  [{}, { search: word }].map((more) => ({ ...order, ...more, tag: word }) as ListingsQuery)

/** Mints and lists memories with as many licensed forks; returns the source of each listed token. */
async function families(
  harness: CatalogueHarness,
  forksOf: readonly number[],
): Promise<ReadonlyMap<TokenId, TokenId>> {
  const [maker, other] = partiesFrom(harness)
  await takeDownAll(harness)
  const sources = new Map<TokenId, TokenId>()
  for (const [index, count] of forksOf.entries()) {
    const card = { title: index % 2 === 0 ? word : 'Another', tags: [word] }
    const source = await mint(harness, maker, { card })
    await list(maker, source, { rentalPricePerDay: wei(7n), forkPrice: wei(1n) })
    sources.set(source, source)
    for (let made = 0; made < count; made++) {
      const id = await fork(other, source)
      await list(other, id, { rentalPricePerDay: wei(BigInt(6 + 2 * made)) })
      sources.set(id, source)
    }
    if (count < 2) continue
    // Of some families the source is not on offer.
    await list(maker, source, {})
    sources.delete(source)
  }
  await harness.caughtUp()
  return sources
}

/** Takes down what an earlier run of the law has listed. */
async function takeDownAll(harness: CatalogueHarness): Promise<void> {
  const parties = partiesFrom(harness)
  await harness.caughtUp()
  const listed = await readAll((after) =>
    harness.catalogue.listings({ ...anyOrder, tag: word, after }),
  )
  for (const { tokenId, owner } of listed) {
    const seller = parties.find(({ ledger }) => ledger.agent === owner)
    if (seller !== undefined) await list(seller, tokenId, {})
  }
}

async function expectedFamilies(
  { catalogue }: CatalogueHarness,
  query: ListingsQuery,
  sources: ReadonlyMap<TokenId, TokenId>,
) {
  const all = await readAll((after) => catalogue.listings({ ...query, after }))
  const sourceOf = ({ tokenId }: CataloguedToken) => sources.get(tokenId) as TokenId
  const families = Map.groupBy(all, sourceOf)
  const standing = new Set(
    [...families].map(([source, members]) => members.find(isOf(source)) ?? members[0]),
  )
  return all.flatMap((token) => {
    const tokenId = sourceOf(token)
    const family = { tokenId, listings: families.get(tokenId)?.length }
    return standing.has(token) ? [[token.tokenId, family]] : []
  })
}

const isOf = (id: TokenId) => (token: CataloguedToken) => token.tokenId === id

const byNumber = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other))
