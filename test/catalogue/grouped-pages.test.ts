import type { ListingsQuery, Page } from '@heirloom/core'
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
const orders = (['listedAt', 'tokenId', 'price'] as const).flatMap((sort) =>
  [true, false].map((descending) => ({ sort, descending, group: 'family' }) as const),
)

/** Reads a list to its end, in pages of a size. */
async function readAll(
  read: (query: ListingsQuery) => Promise<Page<unknown>>,
  query: ListingsQuery,
): Promise<readonly unknown[]> {
  const { items, next } = await read(query)
  return next === undefined
    ? items
    : [...items, ...(await readAll(read, { ...query, after: next }))]
}

/** Of 250 listings every fourth is a fork, every third is resold, and many have one time or price. */
const mixed = (families: number): readonly TokenRow[] =>
  upTo(250).map((id) => {
    const source = id % 4 === 0 && id > families ? id - families : id
    return {
      ...version(id, ((id - 1) % families) + 1),
      source,
      owner: id % 3 === 0 ? buyer : maker,
      listedAt: (id * 7919) % 97,
      price: sortableDecimal(BigInt(1 + ((id * 104_729) % 89))),
    }
  })

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
  test.each([5, 60, 125])('are the same in pages of one as in pages of 100, of %d', async (of) => {
    for (const table of ['token', 'mined', 'search'] as const) {
      await store.db.deleteFrom(table).execute()
    }
    const rows = mixed(of)
    const calm = rows.filter(({ source }) => source % 3 > 0)
    await insertTokens(store, rows)
    await insertWord(store)
    const read = (query: ListingsQuery) => store.runQuery('listings', query)
    for (const order of orders) {
      const whole = await readAll(read, { ...order, limit: 100 })
      expect(whole).toHaveLength(of)
      expect(await readAll(read, { ...order, limit: 1 })).toEqual(whole)
      const found = await readAll(read, { ...order, search: 'calm', limit: 100 })
      expect(found).toHaveLength(new Set(calm.map(({ family }) => family)).size)
      expect(await readAll(read, { ...order, search: 'calm', limit: 9 })).toEqual(found)
    }
  })
})

/** The versions of one memory, which are the newest and the dearest listings. */
const versions = 1_000

test.each(orders.flatMap((order) => [order, { ...order, search: 'calm' }]))(
  'a page by $sort of $search reads as many of 2,000 listings as of 20,000',
  async (order) => {
    const counts: number[][] = []
    for (const listings of [2_000, 20_000]) {
      const market = await countedMarket({ listings, versions })
      const first = await market.readCounted({ ...order, limit: 20 })
      const second = await market.readCounted({ ...order, limit: 20, after: first.page.next })
      expect([first, second].map(({ page }) => page.items.length)).toEqual([20, 20])
      counts.push([first.count, second.count])
      await market.close()
    }
    const [ofFew = [], ofMany] = counts
    expect(ofMany).toEqual(ofFew)
    expect(Math.max(...ofFew)).toBeLessThan(3 * versions)
  },
)
