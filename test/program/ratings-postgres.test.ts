import { sqlGrants } from '@heirloom/adapters/internal/grants'
import { sqlRatings } from '@heirloom/adapters/internal/ratings'
import { type JobStore, postgresJobStore } from '@heirloom/adapters/job-store'
import { account, instant, type Rating, tokenId } from '@heirloom/core'
import { grantsLaws, ratingsLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { expect, onTestFinished, test } from 'vitest'
import { postgresStore as storeWith } from '../../packages/adapters/src/store/postgres.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
const stores = new Map<object, JobStore>()
const registry = { chainId: 1, address: account(`0x${'1'.repeat(40)}`) }

async function openStore() {
  const name = `store_${stores.size}`
  await postgres.run(`CREATE DATABASE ${name}`)
  return postgresJobStore(new URL(`/${name}`, postgres.url).href)
}

describeLaws('sqlGrants in PostgreSQL', grantsLaws, {
  open: async () => {
    const store = await openStore()
    const grants = await sqlGrants(store, registry)
    stores.set(grants, store)
    return grants
  },
  close: async (grants) => stores.get(grants)?.close(),
})

describeLaws('sqlRatings in PostgreSQL', ratingsLaws, {
  open: async () => {
    const store = await openStore()
    const ratings = await sqlRatings(store, registry)
    stores.set(ratings, store)
    return ratings
  },
  close: async (ratings) => stores.get(ratings)?.close(),
})

const rating: Rating = {
  tokenId: tokenId(1n),
  account: account(`0x${'2'.repeat(40)}`),
  score: 4,
  comment: '',
  ratedAt: instant(1_800_000_000_000),
  message: 'signed',
  signature: '0x',
  payment: { act: 'buy', txHash: '0x' },
}

test('a database that falls silent is reported, and has each acknowledged rating when it answers again', async () => {
  await postgres.run('CREATE DATABASE silent_ratings')
  const gate = await openGate(Number(postgres.url.port))
  onTestFinished(gate.close)
  const url = Object.assign(new URL('/silent_ratings', postgres.url), { port: String(gate.port) })
  const store = await storeWith(url.href, { silence: 400 })
  onTestFinished(store.close)
  const ratings = await sqlRatings(store, registry)
  await ratings.add(rating)

  gate.stall()
  const later = { ...rating, score: 5, ratedAt: instant(rating.ratedAt + 1000) } as const
  const unavailable = { code: 'rating/unavailable' }
  const { list, counts, add } = ratings
  await Promise.all([
    expect(list(rating.tokenId, { limit: 1 })).rejects.toMatchObject(unavailable),
    expect(counts([rating.tokenId])).rejects.toMatchObject(unavailable),
    expect(add(later)).rejects.toMatchObject(unavailable),
  ])

  gate.open()
  // The pool may have connections that it has not found silent yet.
  const read = () => list(rating.tokenId, { limit: 2 }).then(({ items }) => items)
  await expect.poll(() => read().catch(() => [])).toEqual([rating])
  expect(await add(later)).toEqual(later)
  expect(await read()).toEqual([later])
})
