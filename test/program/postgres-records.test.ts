import { sqlGrants } from '@heirloom/adapters/internal/grants'
import { sqlOpenings } from '@heirloom/adapters/internal/openings'
import { sqlProfiles } from '@heirloom/adapters/internal/profiles'
import { sqlRatings } from '@heirloom/adapters/internal/ratings'
import { type JobStore, postgresJobStore } from '@heirloom/adapters/job-store'
import {
  account,
  type DepositedGrant,
  digest,
  type GrantRequest,
  instant,
  type Rating,
  type RecordedOpening,
  tokenId,
} from '@heirloom/core'
import { grantsLaws, openingsLaws, profilesLaws, ratingsLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { expect, onTestFinished, test } from 'vitest'
import { postgresStore as storeWith } from '../../packages/adapters/src/store/postgres.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
const stores = new Map<object, JobStore>()
const registry = { chainId: 1, address: account(`0x${'1'.repeat(40)}`) }
const owner = account(`0x${'2'.repeat(40)}`)

describeLaws('sqlGrants in PostgreSQL', grantsLaws, {
  open: async () => {
    const store = await postgresJobStore(await openDatabase(`grants_${stores.size}`))
    const grants = await sqlGrants(store, registry)
    stores.set(grants, store)
    return grants
  },
  close: async (grants) => stores.get(grants)?.close(),
})

const grantOf = (salt: string): DepositedGrant => {
  const of = { tokenId: tokenId(1n), transferCount: 0n, digest: digest(`0x${'3'.repeat(64)}`) }
  const times = { issuedAt: 1_800_000_000, expires: 1_800_000_060 }
  const terms = { statement: '', name: '', rights: 'read', holders: [], ...times }
  const grant = { owner, reader: registry.address, ...of, ...terms, salt: '0x' } as const
  return { id: `0x${salt.repeat(64)}`, grant, signature: '0x12', label: '' }
}

const request: GrantRequest = {
  client: 'client',
  now: instant(1_800_000_000_000),
  bounds: { ofOwner: 9, ofClient: 9, inAll: 9 },
}

test('grants of a database that was restored wait for their owners, where the server saw a revocation', async () => {
  const stored: JobStore[] = []
  const open = async (url: string) => {
    const store = await postgresJobStore(url)
    stored.push(store)
    return sqlGrants(store, registry, { mark })
  }
  const closeAll = () => Promise.all(stored.splice(0).map((it) => it.close()))
  onTestFinished(async () => void (await closeAll()))
  let written = 0
  const write = (count: number) => {
    written = count
  }
  const mark = { read: () => written, write }
  const [live, revoked] = [grantOf('1'), grantOf('2')]
  const url = await openDatabase('restored_grants')
  const before = await open(url)
  for (const it of [live, revoked]) await before.deposit(it, request)
  await closeAll()
  await postgres.run('CREATE DATABASE backup_grants TEMPLATE restored_grants')

  const running = await open(url)
  expect(await running.find(live.id)).toEqual(live)
  await running.revoke({ id: revoked.id, owner, grant: undefined }, request)
  expect(written).toBe(1)
  const restored = await open(new URL('/backup_grants', postgres.url).href)
  for (const { id } of [live, revoked]) expect(await restored.find(id)).toBeUndefined()
  // Its owner says by a deposit that it counts, and it does at the next start too.
  await restored.deposit(live, request)
  const again = await open(new URL('/backup_grants', postgres.url).href)
  expect(await again.find(live.id)).toEqual(live)
})

describeLaws('sqlProfiles in PostgreSQL', profilesLaws, {
  open: async () => {
    const store = await postgresJobStore(await openDatabase(`profiles_${stores.size}`))
    const profiles = await sqlProfiles(store, registry)
    stores.set(profiles, store)
    return profiles
  },
  close: async (profiles) => stores.get(profiles)?.close(),
})

describeLaws('sqlRatings in PostgreSQL', ratingsLaws, {
  open: async () => {
    const store = await postgresJobStore(await openDatabase(`ratings_${stores.size}`))
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

const forLong = { days: 36_500 }

async function openDatabase(name: string): Promise<string> {
  await postgres.run(`CREATE DATABASE ${name}`)
  return new URL(`/${name}`, postgres.url).href
}

async function openOpenings(url: string) {
  const store = await postgresJobStore(url)
  const openings = await sqlOpenings(store, registry, forLong)
  const close = async () => {
    await openings.close()
    await store.close()
  }
  return { openings, close }
}

const closings = new Map<object, () => Promise<void>>()

describeLaws('sqlOpenings in PostgreSQL', openingsLaws, {
  open: async () => {
    const opened = await openOpenings(await openDatabase(`openings_${closings.size}`))
    closings.set(opened.openings, opened.close)
    return opened.openings
  },
  close: async (openings) => closings.get(openings)?.(),
})

const opening: RecordedOpening = {
  tokenId: tokenId(1n),
  digest: digest(`0x${'ab'.repeat(32)}`),
  owner,
  right: { kind: 'owner' },
  account: owner,
  scope: 'whole',
  asOf: instant(1_800_000_000_000),
  at: instant(1_800_000_000_000),
  seconds: 1,
  count: 1,
}

test('two servers of one database add up the openings of one second', async () => {
  const url = await openDatabase('openings_of_two')
  const servers = await Promise.all([openOpenings(url), openOpenings(url)])
  onTestFinished(async () => void (await Promise.all(servers.map(({ close }) => close()))))
  const scopes = ['whole', 'part', 'search'] as const
  for (const { openings } of servers) {
    for (const scope of scopes) openings.record({ ...opening, scope })
  }
  // Both write at once, and each what the other writes.
  await Promise.all(servers.map(({ openings }) => openings.list(opening, { limit: 9 })))
  for (const { openings } of servers) {
    const { items } = await openings.list(opening, { limit: 9 })
    expect(items.map(({ count }) => count)).toEqual([2, 2, 2])
  }
})

test('openings wait in a bounded room while their database is silent, and are written afterwards', async () => {
  const url = new URL(await openDatabase('silent_openings'))
  const gate = await openGate(Number(postgres.url.port))
  onTestFinished(gate.close)
  const through = Object.assign(url, { port: String(gate.port) })
  const store = await storeWith(through.href, { silence: 400 })
  onTestFinished(store.close)
  const openings = await sqlOpenings(store, registry, forLong)
  onTestFinished(openings.close)

  gate.stall()
  openings.record(opening)
  await expect(openings.list(opening, { limit: 1 })).rejects.toMatchObject({
    code: 'store/unavailable',
  })
  openings.record(opening)
  expect(openings.lost()).toBe(0)

  gate.open()
  const counts = async () => {
    const page = await openings.list(opening, { limit: 2 }).catch(() => undefined)
    return page?.items.map(({ count }) => count)
  }
  await expect.poll(counts).toEqual([2])
})
