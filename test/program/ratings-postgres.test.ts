import { sqlRatings } from '@heirloom/adapters/internal/ratings'
import { type JobStore, postgresJobStore } from '@heirloom/adapters/job-store'
import { account } from '@heirloom/core'
import { ratingsLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
const stores = new Map<object, JobStore>()
const registry = { chainId: 1, address: account(`0x${'1'.repeat(40)}`) }

describeLaws('sqlRatings in PostgreSQL', ratingsLaws, {
  open: async () => {
    const name = `ratings_${stores.size}`
    await postgres.run(`CREATE DATABASE ${name}`)
    const store = await postgresJobStore(new URL(`/${name}`, postgres.url).href)
    const ratings = await sqlRatings(store, registry)
    stores.set(ratings, store)
    return ratings
  },
  close: async (ratings) => stores.get(ratings)?.close(),
})
