import { account } from '@heirloom/core'
import { ratingsLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { expect, test } from 'vitest'
import { sqlRatings } from './sql-ratings.ts'
import { sqliteStore } from './sqlite.ts'
import type { Store } from './store.ts'

const registry = { chainId: 1, address: account(`0x${'1'.repeat(40)}`) }
const stores = new Map<object, Store>()

describeLaws('sqlRatings in SQLite', ratingsLaws, {
  open: async () => {
    const store = await sqliteStore(':memory:')
    const ratings = await sqlRatings(store, registry)
    stores.set(ratings, store)
    return ratings
  },
  close: async (ratings) => stores.get(ratings)?.close(),
})

test('a store that does not answer is reported as such', async () => {
  const store = await sqliteStore(':memory:')
  const ratings = await sqlRatings(store, registry)
  await store.close()
  await expect(ratings.counts([1n as never])).rejects.toMatchObject({
    code: 'rating/unavailable',
    facts: { operation: 'counts' },
  })
})
