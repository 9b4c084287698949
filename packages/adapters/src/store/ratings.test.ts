import { account, digest, instant, type Rating, tokenId } from '@heirloom/core'
import { grantsLaws, profilesLaws, ratingsLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { grantTables, sqlGrants } from './sql-grants.ts'
import { sqlProfiles } from './sql-profiles.ts'
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

test('the best are read once in five seconds, and again after a rating', async () => {
  const store = await sqliteStore(':memory:')
  let time = 0
  const one = await sqlRatings({ ...store, now: () => time }, registry)
  const elsewhere = await sqlRatings(store, registry)
  const rating = (id: bigint): Rating => ({
    tokenId: tokenId(id),
    account: account(`0x${'2'.repeat(40)}`),
    score: 5,
    comment: '',
    ratedAt: instant(1),
    message: 'm',
    signature: '0x',
    payment: { act: 'buy', txHash: '0x' },
  })
  const found = async () => (await one.best(9)).map((it) => it.tokenId)
  expect(await found()).toEqual([])
  await elsewhere.add(rating(1n))
  time = 4999
  expect(await found()).toEqual([])
  time = 5000
  expect(await found()).toEqual([1n])
  await one.add(rating(2n))
  expect(await found()).toEqual([1n, 2n])
  await store.close()
})

describeLaws('sqlProfiles in SQLite', profilesLaws, {
  open: async () => {
    const store = await sqliteStore(':memory:')
    const profiles = await sqlProfiles(store, registry)
    stores.set(profiles, store)
    return profiles
  },
  close: async (profiles) => stores.get(profiles)?.close(),
})

describeLaws('sqlGrants in SQLite', grantsLaws, {
  open: async () => {
    const store = await sqliteStore(':memory:')
    const grants = await sqlGrants(store, registry)
    stores.set(grants, store)
    return grants
  },
  close: async (grants) => stores.get(grants)?.close(),
})

test('grants of before readers were known have theirs after the next start', async () => {
  const store = await sqliteStore(':memory:')
  const { steps, ...tables } = grantTables
  await store.migrate({ ...tables, steps: steps.slice(0, 1) })
  await sql`INSERT INTO accessGrant VALUES ('r', '1', '0x1', 'live', 1, 2, '', '{"reader":"0xAb"}', '0x', ''),
    ('r', '2', '0x1', 'revoked', 1, 2, '', '', '0x', '')`.execute(store.db)
  await sqlGrants(store, registry)
  const { rows } = await sql`SELECT id, reader, accepted FROM accessGrant ORDER BY id`.execute(
    store.db,
  )
  expect(rows).toEqual([
    { id: '1', reader: '0xab', accepted: 0 },
    { id: '2', reader: '', accepted: 0 },
  ])
  await store.close()
})

test('a client with ten thousand grants brings no more, and keeps nobody else from it', async () => {
  const store = await sqliteStore(':memory:')
  const grants = await sqlGrants(store, registry)
  const bounds = { ofOwner: 1000, ofClient: 10_000, inAll: 100_000 }
  const request = { client: 'one', now: instant(1_800_000_000_000), bounds }
  const grantOf = (number: number) => {
    const hex = (digits: number) => `0x${number.toString(16).padStart(digits, '0')}` as const
    const of = { tokenId: tokenId(1n), transferCount: 0n, digest: digest(hex(64)) }
    const times = { issuedAt: 1_800_000_000, expires: 1_800_000_060 }
    const terms = { statement: '', name: '', rights: 'read', holders: [], ...times }
    const reader = account(`0x${'2'.repeat(40)}`)
    const grant = { owner: account(hex(40)), reader, ...of, ...terms, salt: '0x' } as const
    return { id: hex(64), grant, signature: '0x12', label: '' } as const
  }
  await grants.deposit(grantOf(1), request)
  // The others as the first one, in one statement: a deposit of each would only take its time.
  await sql`
    WITH RECURSIVE number(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
    INSERT INTO accessGrant SELECT registry, printf('0x%064x', n), printf('0x%040x', n), state,
      issuedAt, expires, client, text, signature, label, reader, accepted FROM accessGrant, number`.execute(
    store.db,
  )
  await expect(grants.deposit(grantOf(10_001), request)).rejects.toMatchObject({
    code: 'grant/too-many',
    facts: { what: 'this client', limit: 10_000 },
  })
  await grants.deposit(grantOf(10_001), { ...request, client: 'other' })
  expect(await grants.find(grantOf(10_001).id)).toEqual(grantOf(10_001))
  const { id, grant } = grantOf(9000)
  expect(await grants.revoke({ id, owner: grant.owner, grant: undefined }, request)).toBe(true)
  expect(await grants.find(id)).toBeUndefined()
  await store.close()
})

test('grants wait for their owners after a restore, and what was revoked stays revoked', async () => {
  const store = await sqliteStore(':memory:')
  const now = instant(1_800_000_000_000)
  const bounds = { ofOwner: 9, ofClient: 9, inAll: 9 }
  const request = { client: 'client', now, bounds }
  const owner = account(`0x${'2'.repeat(40)}`)
  const deposited = (id: string) => {
    const of = { tokenId: tokenId(1n), transferCount: 0n, digest: digest(`0x${'3'.repeat(64)}`) }
    const times = { issuedAt: 1_800_000_000, expires: 1_800_000_060 }
    const terms = { statement: '', name: '', rights: 'read', holders: [], ...times }
    const grant = { owner, reader: owner, ...of, ...terms, salt: '0x' } as const
    return { id: `0x${id}`, grant, signature: '0x12', label: '' } as const
  }
  const open = (epoch: number) => sqlGrants(store, registry, { epoch })
  const [live, revoked] = [deposited('11'), deposited('22')]
  const before = await open(1)
  for (const it of [live, revoked]) await before.deposit(it, request)
  await before.revoke({ id: revoked.id, owner, grant: undefined }, request)
  expect(await (await open(1)).find(live.id)).toEqual(live)

  const restored = await open(2)
  expect(await restored.find(live.id)).toBeUndefined()
  await restored.deposit(live, request)
  expect(await (await open(2)).find(live.id)).toEqual(live)
  await expect(restored.deposit(revoked, request)).rejects.toMatchObject({ code: 'grant/revoked' })
  await store.close()
})
