import assert from 'node:assert/strict'
import {
  type Listing,
  type ListingsQuery,
  nobody,
  type Offer,
  type TokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueWorld, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import { accountOf, arbitraryCheapPrice, arbitraryParty, castOf, known } from '../ledger/fixture.ts'
import { refuses } from '../refuses.ts'
import { all, anyOrder, arbitraryOffer, buy, list, listed, mint } from './fixture.ts'

const prices = ['price', 'rentalPricePerDay', 'forkPrice'] as const
const priceOf = { sale: 'price', rent: 'rentalPricePerDay', fork: 'forkPrice' } as const
const arbitraryOffers = fc.subarray<Offer>(['sale', 'rent', 'fork'])
const arbitraryRange = fc.option(
  fc
    .tuple(fc.constantFrom(0n, 5n, 6n, 10n), fc.constantFrom(5n, 10n, 2n ** 200n))
    .map(([min, max]) => ({ min: wei(min), max: wei(max) })),
  { nil: undefined, freq: 1 },
)

/** What every catalogue keeps of listings. */
export const catalogueListingLaws: readonly Law<CatalogueWorld>[] = [
  {
    name: 'tells live listings only',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryCheapPrice, arbitraryParty, async (price, first) => {
          const [seller, buyer] = castOf(world, first)
          const live = await mint(world, seller)
          const gone = [
            await mint(world, seller),
            await mint(world, seller),
            await mint(world, seller),
          ]
          const [sold, given, down] = gone as [TokenId, TokenId, TokenId]
          for (const id of [live, ...gone]) await list(seller, id, { price })
          await buy(buyer, sold)
          await seller.transfer(given, accountOf(buyer))
          await list(seller, down, {})
          await world.caughtUp()
          const shown = await listed(world, {})
          assert.ok(shown.includes(live), 'a live listing is told')
          assert.deepEqual(
            shown.filter((id) => gone.includes(id)),
            [],
          )
        }),
      ),
  },
  {
    name: 'tells every listing that matches, once, page by page',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(arbitraryOffer, { minLength: 1, maxLength: 4 }),
          fc.record({
            offers: arbitraryOffers,
            price: arbitraryRange,
            forkPrice: arbitraryRange,
            limit: fc.integer({ min: 1, max: 3 }),
          }),
          fc.constantFrom('seller', 'creator', 'neither'),
          async (offers, wanted, who) => {
            const [seller, other] = castOf(world)
            const { parent, ids } = await family(world, [seller, other], offers)
            const by = who === 'neither' ? {} : { [who]: accountOf(seller) }
            const query = { ...wanted, ...by, parent }
            const isWanted = await wantedBy(world, query)
            const expected = []
            for (const id of ids) if (await isWanted(id)) expected.push(id)
            assert.deepEqual((await listed(world, query)).toSorted(byNumber), expected)
          },
        ),
      ),
  },
  {
    name: 'tells listings in the order asked for',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(arbitraryOffer, { minLength: 2, maxLength: 4 }),
          fc.constantFrom('listedAt' as const, 'tokenId' as const, ...prices),
          fc.boolean(),
          async (offers, sort, descending) => {
            const [seller] = castOf(world)
            const { parent } = await family(world, [seller], offers)
            const query = { ...anyOrder, parent, sort, descending }
            const { items } = await world.catalogue.listings(query)
            const keys = items.map((token): [bigint, bigint] => {
              if (sort === 'tokenId') return [token.tokenId, token.tokenId]
              const key = sort === 'listedAt' ? BigInt(token.listedAt ?? 0) : token.terms[sort]
              return [key, token.tokenId]
            })
            const sorted = keys.toSorted(([a, one], [b, two]) =>
              a === b ? byNumber(one, two) : byNumber(a, b) * (descending ? -1 : 1),
            )
            assert.deepEqual(keys, sorted)
          },
        ),
      ),
  },
  {
    name: 'keeps its place on a page while others are listed and taken down',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(fc.nat({ max: 1 }), arbitraryCheapPrice, async (which, price) => {
          const [seller] = castOf(world)
          const offers = [1, 2, 3, 4].map(() => ({ price }))
          const { parent, ids } = await family(world, [seller], offers)
          const query = { ...anyOrder, parent, limit: 2 }
          const first = await world.catalogue.listings(query)
          const down = ids[which] as TokenId
          await list(seller, down, {})
          await list(seller, await mint(world, seller, { parent }), { price })
          await world.caughtUp()
          const rest = await all((after = first.next) =>
            world.catalogue.listings({ ...query, after }),
          )
          const seen = [...first.items, ...rest].map(({ tokenId }) => tokenId)
          assert.deepEqual(seen.slice(0, 4), ids)
        }),
      ),
  },
  {
    name: 'refuses a cursor it did not give with `request/malformed`',
    holds: async (world) => {
      const [seller] = castOf(world)
      const offers = [1, 2, 3].map(() => ({ price: wei(7n) }))
      const { parent, ids } = await family(world, [seller], offers)
      const { catalogue } = world
      const query = { ...anyOrder, parent, limit: 1 }
      const { next: after = '' } = await catalogue.listings(query)
      await refuses('request/malformed', catalogue.listings({ ...query, sort: 'price', after }))
      await refuses('request/malformed', catalogue.tokens({ limit: 1, after }))
      await refuses('request/malformed', catalogue.history(ids[0] as TokenId, { limit: 1, after }))
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.string(), fc.base64String()), async (garbage) => {
          await refuses('request/malformed', catalogue.listings({ ...query, after: garbage }))
          await refuses('request/malformed', catalogue.tokens({ limit: 1, after: garbage }))
        }),
      )
    },
  },
]

/** Lists children of a fresh token on some terms, by turns of the sellers; returns them in their order. */
async function family(
  world: CatalogueWorld,
  sellers: readonly Party[],
  offers: readonly Parameters<typeof list>[2][],
): Promise<{ readonly parent: TokenId; readonly ids: readonly TokenId[] }> {
  const [first] = castOf(world)
  const parent = await mint(world, first)
  const ids: TokenId[] = []
  for (const [index, terms] of offers.entries()) {
    const seller = sellers[index % sellers.length] ?? first
    const id = await mint(world, seller, { parent })
    await list(seller, id, terms)
    ids.push(id)
  }
  await world.caughtUp()
  return { parent, ids }
}

/** Tells by the ledger alone whether a listing is wanted. */
async function wantedBy(world: CatalogueWorld, query: Partial<ListingsQuery>) {
  const [{ ledger }] = castOf(world)
  return async (id: TokenId): Promise<boolean> => {
    const offered = await known(ledger.listing(id))
    const { creator } = await known(ledger.provenance(id))
    return (
      offered.seller !== nobody &&
      (query.offers ?? []).every((offer) => offered[priceOf[offer]] > 0n) &&
      prices.every((name) => isWithin(offered, name, query)) &&
      (query.seller ?? offered.seller) === offered.seller &&
      (query.creator ?? creator) === creator
    )
  }
}

function isWithin(
  offered: Listing,
  name: (typeof prices)[number],
  query: Partial<ListingsQuery>,
): boolean {
  const range = query[name]
  if (range === undefined) return true
  const price = offered[name]
  return price > 0n && price >= (range.min ?? 0n) && price <= (range.max ?? price)
}

const byNumber = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other))
