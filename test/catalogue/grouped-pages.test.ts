import { type CataloguedToken, type ListingsQuery, type Page, tokenId } from '@heirloom/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CatalogueStore } from '../../packages/adapters/src/catalogue/catalogue-store.ts'
import { postgresCatalogueStore } from '../../packages/adapters/src/catalogue/postgres-catalogue-store.ts'
import { sortableDecimal } from '../../packages/adapters/src/catalogue/projection/stored-event.ts'
import type { TokenRow } from '../../packages/adapters/src/catalogue/schema.ts'
import { sqliteCatalogueStore } from '../../packages/adapters/src/catalogue/sqlite-catalogue-store.ts'
import {
  buyer,
  countedMarket,
  hex,
  insertTokens,
  insertWord,
  maker,
  upTo,
  version,
} from '../../packages/adapters/src/catalogue/test/counted-market.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import { longestWait } from '../tier.ts'

const identity = {
  chainId: 1,
  genesis: hex(7, 64),
  registry: hex(8, 40),
  marketplace: hex(9, 40),
}
const sorts = [
  'listedAt',
  'tokenId',
  'price',
  'rentalPricePerDay',
  'forkPrice',
  'rentals',
  'forks',
  'ratings',
] as const

const orders = sorts.flatMap((sort) =>
  [true, false].map((descending) => ({ sort, descending, group: 'family' }) as const),
)

/** The ratings of the newest tokens of so many, of which some are equal. */
const ratingsOf = (tokens: number) =>
  upTo(100).map((at) => ({ tokenId: tokenId(BigInt(tokens + 1 - at)), worth: at % 7 }))

/** Reads a list to its end, in pages of a size. */
async function readAll(
  read: (query: ListingsQuery) => Promise<Page<CataloguedToken>>,
  query: ListingsQuery,
): Promise<readonly CataloguedToken[]> {
  const { items, next } = await read(query)
  return next === undefined
    ? items
    : [...items, ...(await readAll(read, { ...query, after: next }))]
}

const listings = 250

/** Every fourth listing is a fork, every third is resold, every fifth has another title, and many are equal. */
const mixed = (families: number): readonly TokenRow[] =>
  upTo(listings).map((id) => {
    const source = id % 4 === 0 && id > families ? id - families : id
    const price = (factor: number) => sortableDecimal(BigInt(((id * factor) % 89) % 5))
    return {
      ...version(id, ((id - 1) % families) + 1),
      source,
      title: source % 5 === 0 ? 'Another' : 'One',
      owner: id % 3 === 0 ? buyer : maker,
      listedAt: (id * 7919) % 97,
      price: sortableDecimal(BigInt(1 + ((id * 104_729) % 89))),
      rentalPricePerDay: price(7919),
      forkPrice: price(104_729),
      rentals: id % 6,
      forks: (id * 7919) % 4,
    }
  })

type Order = (typeof orders)[number]

const standingOf = ({ id, source, owner }: TokenRow): readonly number[] =>
  source === id ? [owner === maker ? 0 : 1, -id] : [2, 0]

/** Returns the ids of the listings that stand for their families in an order, by a plain model. */
function expectedFirsts(rows: readonly TokenRow[], { sort, descending }: Order): readonly bigint[] {
  const worths = new Map(ratingsOf(listings).map((it) => [Number(it.tokenId), it.worth]))
  const isByPrice = /price/i.test(sort)
  const keyOf = (row: TokenRow): number => {
    if (sort === 'ratings') return worths.get(row.id) ?? -1
    return sort === 'tokenId' ? row.id : Number(row[sort])
  }
  const least = sort === 'ratings' || sort === 'listedAt' ? 0 : 1
  const placeOf = (row: TokenRow): readonly number[] => {
    const key = descending ? -keyOf(row) : keyOf(row)
    return isByPrice ? [key, ...standingOf(row), row.id] : [...standingOf(row), key, row.id]
  }
  const compare = (one: readonly number[], other: readonly number[]): number =>
    one.map((it, at) => it - (other[at] ?? 0)).find((it) => it !== 0) ?? 0
  const families = Map.groupBy(
    rows.filter((row) => keyOf(row) >= least),
    ({ family, title }) => `${family} ${title}`,
  )
  return [...families.values()]
    .map((members) => members.toSorted((one, other) => compare(placeOf(one), placeOf(other))))
    .flatMap(([first]) => first ?? [])
    .toSorted(
      (one, other) => (descending ? -1 : 1) * (keyOf(one) - keyOf(other)) || one.id - other.id,
    )
    .map(({ id }) => BigInt(id))
}

const postgres = sharedPostgres()

describe.each([
  ['SQLite', () => sqliteCatalogueStore(':memory:', identity)],
  [
    'PostgreSQL',
    () => postgresCatalogueStore(postgres.url.href, identity, { statementTimeout: longestWait }),
  ],
] as const)('the first listings of families, in %s', (_, open) => {
  let store: CatalogueStore
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  // Where a family has two members far from each other, a walk of the list meets many before the first.
  test.each([5, 60, 125])(
    'are those of a plain model, in pages of one as in pages of 100, of %d',
    async (of) => {
      for (const table of ['token', 'mined', 'search'] as const) {
        await store.db.deleteFrom(table).execute()
      }
      const rows = mixed(of)
      const calm = rows.filter(({ source }) => source % 3 > 0)
      await insertTokens(store, rows)
      await insertWord(store)
      const read = (query: ListingsQuery) => store.runQuery('listings', query)
      const rated = ratingsOf(listings)
      for (const order of orders) {
        const whole = await readAll(read, { ...order, rated, limit: 100 })
        expect(whole.map(({ tokenId }) => tokenId)).toEqual(expectedFirsts(rows, order))
        expect(await readAll(read, { ...order, rated, limit: order.descending ? 1 : 9 })).toEqual(
          whole,
        )
        const found = await readAll(read, { ...order, rated, search: 'calm', limit: 100 })
        expect(found.map(({ tokenId }) => tokenId)).toEqual(expectedFirsts(calm, order))
        expect(await readAll(read, { ...order, rated, search: 'calm', limit: 9 })).toEqual(found)
      }
    },
  )
})

describe('a page with five families that are the newest, the dearest and the most popular', () => {
  const versions = 1_000
  const shapes = [2_000, 20_000].map((listings) => ({ listings, families: 5, versions }))
  let markets: readonly Awaited<ReturnType<typeof countedMarket>>[]
  beforeAll(async () => {
    markets = await Promise.all(shapes.map(countedMarket))
  })
  afterAll(() => Promise.all(markets.map((market) => market.close())))

  test.each(orders.flatMap((order) => [order, { ...order, search: 'calm' }]))(
    'reads by $sort (descending: $descending) of $search as many rows of 2,000 listings as of 20,000',
    async (order) => {
      const counts: number[][] = []
      for (const [at, market] of markets.entries()) {
        const rated = ratingsOf(shapes[at]?.listings ?? 0)
        const query = { ...order, rated, limit: 4 }
        const first = await market.readCounted(query)
        const second = await market.readCounted({ ...query, after: first.page.next })
        expect([first, second].map(({ page }) => page.items.length)).toEqual([
          4,
          order.sort === 'ratings' ? 1 : 4,
        ])
        counts.push([first.count, second.count])
      }
      const [ofFew = [], ofMany] = counts
      expect(ofMany).toEqual(ofFew)
      expect(Math.max(...ofFew)).toBeLessThan(3 * versions)
    },
  )
})
