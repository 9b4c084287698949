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
import type { CatalogueHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  partiesFrom,
  requireKnown,
} from '../ledger/fixture.ts'
import { refuses } from '../refuses.ts'
import {
  anyOrder,
  arbitraryOffer,
  buy,
  inDollars,
  list,
  mint,
  readAll,
  readListedIds,
} from './fixture.ts'

const prices = ['price', 'rentalPricePerDay', 'forkPrice'] as const
const priceOf = { sale: 'price', rent: 'rentalPricePerDay', fork: 'forkPrice' } as const
const arbitraryOffers = fc.subarray<Offer>(['sale', 'rent', 'fork'])
const arbitraryRange = fc.option(
  fc
    .tuple(fc.constantFrom(0n, 5n, 6n, 10n), fc.constantFrom(5n, 10n, 2n ** 200n))
    .map(([min, max]) => ({ min: wei(min), max: wei(max) })),
  { nil: undefined, freq: 1 },
)

/** The laws of listings in a catalogue. */
export const catalogueListingLaws: readonly Law<CatalogueHarness>[] = [
  forAll(
    'returns live listings only',
    [arbitraryCheapPrice, arbitraryParty],
    async (harness, price, first) => {
      const [seller, buyer] = partiesFrom(harness, first)
      const live = await mint(harness, seller)
      const gone = [
        await mint(harness, seller),
        await mint(harness, seller),
        await mint(harness, seller),
      ]
      const [sold, given, down] = gone as [TokenId, TokenId, TokenId]
      for (const id of [live, ...gone]) await list(seller, id, { price })
      await buy(buyer, sold)
      await seller.transfer(given, accountOf(buyer))
      await list(seller, down, {})
      await harness.caughtUp()
      const shown = await readListedIds(harness, {})
      assert.ok(shown.includes(live), 'a live listing is returned')
      assert.deepEqual(
        shown.filter((id) => gone.includes(id)),
        [],
      )
    },
  ),
  forAll(
    'returns every matching listing once, page by page',
    [
      fc.array(arbitraryOffer, { minLength: 1, maxLength: 4 }),
      fc.record({
        offers: arbitraryOffers,
        price: arbitraryRange,
        forkPrice: arbitraryRange,
        limit: fc.integer({ min: 1, max: 3 }),
      }),
      fc.constantFrom('seller', 'creator', 'neither'),
    ],
    async (harness, offers, filter, who) => {
      const [seller, other] = partiesFrom(harness)
      const { parent, ids } = await family(harness, [seller, other], offers)
      const by = who === 'neither' ? {} : { [who]: accountOf(seller) }
      const query = { ...filter, ...by, parent }
      const isMatch = await matcherOf(harness, query)
      const expected = []
      for (const id of ids) if (await isMatch(id)) expected.push(id)
      assert.deepEqual((await readListedIds(harness, query)).toSorted(byNumber), expected)
    },
  ),
  forAll(
    'returns listings in the requested order',
    [
      fc.array(arbitraryOffer, { minLength: 2, maxLength: 4 }),
      fc.constantFrom('listedAt' as const, 'tokenId' as const, ...prices),
      fc.boolean(),
      fc.constantFrom('native' as const, 'dollar' as const),
    ],
    async (harness, offers, sort, descending, currency) => {
      const [seller] = partiesFrom(harness)
      const isInDollars = currency === 'dollar'
      const terms = isInDollars ? offers.map(inDollars) : offers
      const { parent } = await family(harness, [seller], terms)
      const query = { ...anyOrder, parent, sort, descending, currency }
      const { items } = await harness.catalogue.listings(query)
      const keys = items.map(({ tokenId, listedAt, terms: its }): [bigint, bigint] => {
        if (sort === 'tokenId') return [tokenId, tokenId]
        if (sort === 'listedAt') return [BigInt(listedAt ?? 0), tokenId]
        return [(its.dollars ?? its)[sort], tokenId]
      })
      const sorted = keys.toSorted(([a, one], [b, two]) =>
        a === b ? byNumber(one, two) : byNumber(a, b) * (descending ? -1 : 1),
      )
      assert.deepEqual(keys, sorted)
    },
  ),
  forAll(
    'continues a list at the same place while other tokens are listed and taken down',
    [fc.nat({ max: 1 }), arbitraryCheapPrice],
    async (harness, which, price) => {
      const [seller] = partiesFrom(harness)
      const offers = [1, 2, 3, 4].map(() => ({ price }))
      const { parent, ids } = await family(harness, [seller], offers)
      const query = { ...anyOrder, parent, limit: 2 }
      const first = await harness.catalogue.listings(query)
      const down = ids[which] as TokenId
      await list(seller, down, {})
      await list(seller, await mint(harness, seller, { parent }), { price })
      await harness.caughtUp()
      const rest = await readAll((after = first.next) =>
        harness.catalogue.listings({ ...query, after }),
      )
      const seen = [...first.items, ...rest].map(({ tokenId }) => tokenId)
      assert.deepEqual(seen.slice(0, 4), ids)
    },
  ),
  {
    name: 'refuses a cursor that it did not issue with `request/malformed`',
    holds: async (harness) => {
      const [seller] = partiesFrom(harness)
      const offers = [1, 2, 3].map(() => ({ price: wei(7n) }))
      const { parent, ids } = await family(harness, [seller], offers)
      const { catalogue } = harness
      const query = { ...anyOrder, parent, limit: 1 }
      const { next: after = '' } = await catalogue.listings(query)
      const byPrice = { ...query, sort: 'price' } as const
      await refuses('request/malformed', catalogue.listings({ ...byPrice, after }))
      for (const terms of [{ price: wei(7n) }, { price: wei(8n) }]) {
        await list(seller, await mint(harness, seller, { parent }), inDollars(terms))
      }
      await harness.caughtUp()
      const inUsd = await catalogue.listings({ ...byPrice, currency: 'dollar' })
      await refuses('request/malformed', catalogue.listings({ ...byPrice, after: inUsd.next }))
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

/** Mints and lists children of a new token, by the sellers in turn; returns them in order. */
async function family(
  harness: CatalogueHarness,
  sellers: readonly Party[],
  offers: readonly Parameters<typeof list>[2][],
): Promise<{ readonly parent: TokenId; readonly ids: readonly TokenId[] }> {
  const [first] = partiesFrom(harness)
  const parent = await mint(harness, first)
  const ids: TokenId[] = []
  for (const [index, terms] of offers.entries()) {
    const seller = sellers[index % sellers.length] ?? first
    const id = await mint(harness, seller, { parent })
    await list(seller, id, terms)
    ids.push(id)
  }
  await harness.caughtUp()
  return { parent, ids }
}

/** Returns a function that decides from the ledger alone whether a listing matches a query. */
async function matcherOf(harness: CatalogueHarness, query: Partial<ListingsQuery>) {
  const [{ ledger }] = partiesFrom(harness)
  return async (id: TokenId): Promise<boolean> => {
    const offered = await requireKnown(ledger.listing(id))
    const { creator } = await requireKnown(ledger.provenance(id))
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
