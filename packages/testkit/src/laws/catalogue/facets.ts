import assert from 'node:assert/strict'
import {
  type Account,
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
import type { CatalogueHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { partiesFrom } from '../ledger/fixture.ts'
import {
  anyOrder,
  arbitraryOffer,
  buy,
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

type Made = {
  readonly parent: TokenId
  /** The maker of the parent. */
  readonly maker: Account
}

const plain = { forks: 1, versions: 1 }

/** The laws of facets and families. */
export const facetLaws: readonly Law<CatalogueHarness>[] = [
  {
    name: 'returns of each family its newest version, or its first listing by price, and their numbers',
    holds: (harness) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(arbitraryFamily, { minLength: 1, maxLength: 3 }),
          fc.constantFrom('listedAt', 'tokenId', 'rentalPricePerDay', 'relevance'),
          fc.boolean(),
          fc.integer({ min: 1, max: 2 }),
          async (shapes, sort, descending, limit) => {
            const members = await makeFamilies(harness, shapes)
            for (const query of queriesOf({ sort, descending, limit })) {
              const expected = await expectedFamilies(harness, query, members)
              const found = await readAll((after) =>
                harness.catalogue.listings({ ...query, group: 'family', after }),
              )
              assert.deepEqual(
                found.map(({ tokenId, family }) => [tokenId, family]),
                expected,
              )
            }
            for (const { family } of members.values()) {
              const ids = [...members].filter(([, it]) => it.family === family).map(([id]) => id)
              assert.deepEqual(
                (await readListedIds(harness, { family })).toSorted(byNumber),
                ids.toSorted(byNumber),
              )
            }
          },
        ),
        {
          examples: [
            // Of the newest version only a fork is on offer, while an older version is.
            [[{ ...plain, withdrawn: 'newest', isResold: false }], 'relevance', true, 1],
            [[{ ...plain, withdrawn: 'none', isResold: true }], 'listedAt', true, 1],
            [[{ ...plain, withdrawn: 'none', isResold: true }], 'relevance', true, 1],
          ],
        },
      ),
  },
  forAll(
    'counts the listings that match a filter, with each value that can be added to it',
    [
      fc.array(arbitraryListing, { minLength: 1, maxLength: 4 }),
      fc.subarray<Offer>(['sale', 'rent', 'fork']),
    ],
    async (harness, made, offered) => {
      const { parent, maker } = await makeListings(harness, made)
      const filter = { parent, offers: offered, sort: 'tokenId' } as const
      const all = await readAll((after) =>
        harness.catalogue.listings({ ...anyOrder, parent, after }),
      )
      const listed = all.filter((token) => offered.every((it) => offersOf(token).includes(it)))
      assert.deepEqual(await harness.catalogue.facets(filter), countByHand(listed, maker))
      const own = await harness.catalogue.facets({ ...filter, maker })
      assert.equal(own.total, listed.filter((it) => makerOf(it) === maker).length)
      const [one] = listed
      if (one?.card?.category === undefined) return
      const { category } = one.card
      const narrowed = await harness.catalogue.facets({ ...filter, category })
      const { categories } = await harness.catalogue.facets(filter)
      const counted = categories.find(({ value }) => value === category)
      assert.deepEqual(narrowed.total, counted?.count)
    },
  ),
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
  for (const { terms, isInDollars, maker, category, tags } of made) {
    const by = makers[maker === 0 ? 0 : 1]
    const card = { title: 'Counted', category, tags: [...tags] }
    const id = await mint(harness, by, { parent, card })
    await list(by, id, isInDollars ? inDollars(terms) : terms)
  }
  await list(makers[0], parent, { forkPrice: wei(1n) })
  await list(makers[1], await fork(makers[1], parent), { price: wei(3n) })
  await harness.caughtUp()
  return { parent, maker: makers[0].ledger.agent }
}

/** Returns who made the memory of a token: a forker has only paid for it. */
const makerOf = ({ creator, source }: CataloguedToken): Account => source?.creator ?? creator

function countByHand(listed: readonly CataloguedToken[], maker: Account): Facets {
  // What the maker of the parent declares to derive from it is one memory in several versions.
  const familyOf = ({ tokenId, creator, source }: CataloguedToken) =>
    source?.tokenId ?? (creator === maker ? 'versions' : tokenId)

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
    total: listed.length,
    isCut: false,
    correction: undefined,
    leftOut: [],
    formats: [],
    families: new Set(listed.map(familyOf)).size,
    offers: asRecord(offers, offersOf),
    currencies: asRecord(currencies, ({ terms }) => [currencyOf(terms)]),
    categories: count(({ card }) => (card?.category === undefined ? [] : [card.category])),
    tags: count(({ card }) => card?.tags ?? []),
    makers: count((token) => [makerOf(token)]),
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

const arbitraryFamily = fc.record({
  forks: fc.nat({ max: 2 }),
  versions: fc.nat({ max: 2 }),
  /** The versions that are taken down; a fork of the newest stays on offer. */
  withdrawn: fc.constantFrom('none', 'newest', 'all'),
  /** Whether somebody bought the newest version, and offers it. */
  isResold: fc.boolean(),
})

type Shape = typeof arbitraryFamily extends fc.Arbitrary<infer It> ? It : never

/** The place of a listed token: the first version of its family, and the version it shows. */
type Place = { readonly family: TokenId; readonly source: TokenId }

type Members = Map<TokenId, Place>

/** Mints and lists memories with versions and licensed forks; returns the places of the listed tokens. */
async function makeFamilies(
  harness: CatalogueHarness,
  shapes: readonly Shape[],
): Promise<ReadonlyMap<TokenId, Place>> {
  await takeDownAll(harness)
  const members: Members = new Map()
  for (const [index, shape] of shapes.entries()) {
    const card = { title: index % 2 === 0 ? word : 'Another', tags: [word] }
    await makeFamily(harness, { members, shape, card })
  }
  await addOutsiders(harness, members)
  await harness.caughtUp()
  return members
}

type FamilyInput = {
  readonly members: Members
  readonly shape: Shape
  readonly card: { readonly title: string; readonly tags: readonly string[] }
}

const offered = { rentalPricePerDay: wei(7n), forkPrice: wei(1n) }

/** The rents of the versions of a family, of which the newest may be neither the lowest nor the highest. */
const rents = [7n, 5n, 9n, 7n].map(wei)

async function makeFamily(harness: CatalogueHarness, { members, shape, card }: FamilyInput) {
  const [maker, other] = partiesFrom(harness)
  const family = await mint(harness, maker, { card })
  const versions = [family]
  let newest = family
  for (let made = 0; made < shape.versions; made++) {
    newest = await mint(harness, maker, { card, parent: newest })
    versions.push(newest)
  }
  for (const [made, id] of versions.entries()) {
    await list(maker, id, { ...offered, rentalPricePerDay: rents[made] ?? wei(7n) })
    members.set(id, { family, source: id })
  }
  const forked: readonly TokenId[] = [...Array(shape.forks).fill(family), newest]
  for (const [made, source] of forked.entries()) {
    const id = await fork(other, source)
    await list(other, id, { rentalPricePerDay: wei(BigInt(5 + 2 * made)) })
    members.set(id, { family, source })
  }
  if (shape.isResold) await resell(newest, [maker, other])
  const holderOf = (id: TokenId) => (shape.isResold && id === newest ? other : maker)
  const listed = { none: versions.length, newest: versions.length - 1, all: 0 }[shape.withdrawn]
  for (const id of versions.slice(listed)) {
    await list(holderOf(id), id, {})
    members.delete(id)
  }
}

/** Sells a version to another party, which offers it at the same rent. */
async function resell(id: TokenId, [maker, other]: readonly [Party, Party]): Promise<void> {
  const { rentalPricePerDay = wei(7n) } = (await maker.ledger.listing(id)) ?? {}
  await list(maker, id, { price: wei(1n) })
  await buy(other, id)
  await list(other, id, { ...offered, rentalPricePerDay })
}

/**
 * Lists what resembles a version: of another account, of the owner of a fork, with another title, and
 * minted by the maker's wallet for another account, as a server mints for all its clients.
 */
async function addOutsiders(harness: CatalogueHarness, members: Members): Promise<void> {
  const [maker, other] = partiesFrom(harness)
  const [forked, place] = [...members].at(-1) as [TokenId, Place]
  const { family } = place
  const card = { title: word, tags: [word] }
  const outsiders = [
    [other, { card, parent: family, to: other }],
    [other, { card, parent: forked, to: other }],
    [maker, { card: { ...card, title: `Other ${word}` }, parent: family, to: maker }],
    [maker, { card, parent: family, to: other }],
  ] as const
  for (const [by, memory] of outsiders) {
    const id = await mint(harness, by, memory)
    await list(memory.to, id, offered)
    members.set(id, { family: id, source: id })
  }
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
  members: ReadonlyMap<TokenId, Place>,
) {
  const all = await readAll((after) => catalogue.listings({ ...query, after }))
  const placeOf = ({ tokenId }: CataloguedToken) => members.get(tokenId) as Place
  const families = Map.groupBy(all, (token) => placeOf(token).family)
  const isByPrice = query.sort === 'rentalPricePerDay'
  return all.flatMap((token) => {
    const { family, source } = placeOf(token)
    const own = families.get(family) ?? []
    const isVersion = (it: CataloguedToken) => placeOf(it).source === it.tokenId
    const versions = own.filter(isVersion)
    const placed = isByPrice ? own.filter((it) => rentOf(it) === rentOf(own[0])) : own
    const offered = placed.filter(isVersion).toSorted(newestFirst)
    const newest = offered.find((it) => it.owner === it.creator) ?? offered[0]
    if (token !== (newest ?? placed[0])) return []
    const numbers = { listings: own.length, versions: versions.length }
    return [[token.tokenId, { tokenId: source, ...numbers }]]
  })
}

const rentOf = (token: CataloguedToken | undefined) => token?.terms.rentalPricePerDay

const newestFirst = (one: CataloguedToken, other: CataloguedToken): number =>
  byNumber(other.tokenId, one.tokenId)

const byNumber = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other))
