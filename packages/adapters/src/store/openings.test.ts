import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, instant, openingWithin, type RecordedOpening, tokenId } from '@heirloom/core'
import { openingsLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type SqlOpenings, sqlOpenings } from './sql-openings.ts'
import { sqliteStore } from './sqlite.ts'
import type { Store } from './store.ts'

const registry = { chainId: 1, address: account(`0x${'1'.repeat(40)}`) }
const stores = new Map<object, { readonly store: Store; readonly openings: SqlOpenings }>()
const forLong = { days: 36_500 }

describeLaws('sqlOpenings in SQLite', openingsLaws, {
  open: async () => {
    const store = await sqliteStore(':memory:')
    const openings = await sqlOpenings(store, registry, forLong)
    stores.set(openings, { store, openings })
    return openings
  },
  close: async (openings) => {
    const opened = stores.get(openings)
    await opened?.openings.close()
    await opened?.store.close()
  },
})

const owner = account(`0x${'2'.repeat(40)}`)
const midnight = 1_800_057_600_000

/** An opening of the owner, so many seconds after the beginning of a day. */
const after = (second: number, more: Partial<RecordedOpening> = {}): RecordedOpening => {
  const at = instant(midnight + second * 1000)
  const opening = {
    tokenId: tokenId(7n),
    digest: `0x${'ab'.repeat(32)}` as RecordedOpening['digest'],
    owner,
    right: { kind: 'owner' } as const,
    account: owner,
    scope: 'part' as const,
    asOf: at,
    at,
    count: 1,
  }
  return openingWithin({ ...opening, ...more }, 1)
}

const of = { tokenId: tokenId(7n), owner }

async function opened(change: (store: Store) => Partial<Store> = () => ({})) {
  const store = await sqliteStore(':memory:')
  const openings = await sqlOpenings({ ...store, ...change(store) }, registry, forLong)
  onTestFinished(async () => {
    await openings.close()
    await store.close()
  })
  return { store, openings }
}

const rowsIn = async ({ db }: Store): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM opening`.execute(db)
  return Number(rows[0]?.n)
}

test('ten thousand openings of a reader in a second are one row, and each is counted', async () => {
  const { store, openings } = await opened()
  for (let time = 0; time < 10_000; time++) openings.record(after(5))
  expect((await openings.list(of, { limit: 2 })).items).toMatchObject([{ count: 10_000 }])
  expect(await rowsIn(store)).toBe(1)
})

test('a reader without a pause has a bounded number of rows in a day, and each opening is counted', async () => {
  const { store, openings } = await opened()
  for (let second = 0; second < 86_400; second += 10) {
    openings.record(after(second))
    if (second % 3600 === 0) await openings.list(of, { limit: 1 })
  }
  const { items } = await openings.list(of, { limit: 2000 })
  expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(8640)
  expect(await rowsIn(store)).toBeLessThanOrEqual(1024)
  // A day with fewer openings has them by the second again.
  openings.record(after(86_400 + 17))
  expect((await openings.list(of, { limit: 1 })).items).toMatchObject([{ seconds: 1, count: 1 }])
})

test('a clock that is set back changes neither the order nor the number', async () => {
  const { openings } = await opened()
  for (const second of [86_401, 86_399, 86_402, 86_399, 86_401]) openings.record(after(second))
  const { items } = await openings.list(of, { limit: 9 })
  const found = items.map(({ at, count }) => [(at - midnight) / 1000, count])
  expect(found).toEqual([
    [86_402, 1],
    [86_401, 2],
    [86_399, 2],
  ])
})

test('what a silent store does not take is counted as lost, beyond what waits for it', async () => {
  const silent = Promise.withResolvers<void>()
  const { openings } = await opened((store) => ({
    commit: async (...all) => {
      await silent.promise
      return store.commit(...all)
    },
  }))
  const readers = Array.from({ length: 5000 }, (_, at) =>
    account(`0x${(at + 1).toString(16).padStart(40, '0')}`),
  )
  for (const reader of readers) openings.record(after(1, { account: reader }))
  const first = openings.list(of, { limit: 1 })
  expect(openings.lost()).toBe(0)
  for (const reader of readers) openings.record(after(2, { account: reader }))
  for (const reader of readers) openings.record(after(3, { account: reader }))
  expect(openings.lost()).toBe(5000)
  silent.resolve()
  await first
  const { items } = await openings.list(of, { limit: 20_000 })
  expect(items).toHaveLength(10_000)
})

test('a group that was refused is written with the next one, and one that may be there is not', async () => {
  const endings: ('refused' | 'unanswered')[] = []
  const { openings } = await opened((store) => ({
    commit: async (work, lazily) => {
      const ending = endings.shift()
      if (ending === 'refused') return store.commit(() => work(undefined as never), lazily)
      const done = await store.commit(work, lazily)
      if (ending === 'unanswered') throw new Error('the connection ended')
      return done
    },
  }))
  const counted = async () => (await openings.list(of, { limit: 5 })).items.map((it) => it.count)
  endings.push('refused', 'unanswered')
  openings.record(after(1))
  expect(await counted()).toEqual([])
  expect(await counted()).toEqual([1])
  expect(await counted()).toEqual([1])
  // Whether it is there was not answered.
  expect(openings.lost()).toBe(1)
})

test('what is too old is forgotten when the openings are opened again', async () => {
  const store = await sqliteStore(':memory:')
  onTestFinished(store.close)
  const first = await sqlOpenings(store, registry, forLong)
  first.record(after(1))
  first.record(after(2 * 86_400))
  await first.close()
  const now = () => midnight + 3 * 86_400_000
  const later = await sqlOpenings({ ...store, now }, registry, { days: 2 })
  onTestFinished(later.close)
  await later.forget(instant(midnight + 86_400_000))
  expect((await later.list(of, { limit: 5 })).items).toMatchObject([{ at: midnight + 172_800_000 }])
})

test('a store that does not answer is reported as such, and records go on', async () => {
  const store = await sqliteStore(':memory:')
  const openings = await sqlOpenings(store, registry, forLong)
  onTestFinished(openings.close)
  await store.close()
  openings.record(after(1))
  await expect(openings.list(of, { limit: 1 })).rejects.toMatchObject({ code: 'store/unavailable' })
})

test('a killed server loses no more than what it had not written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'killed'))
  const store = await sqliteStore(join(folder, 'killed', 'jobs.db'))
  onTestFinished(store.close)
  const openings = await sqlOpenings(store, registry, forLong)
  onTestFinished(openings.close)
  openings.record(after(1))
  await openings.list(of, { limit: 1 })
  openings.record(after(2))
  // What a process that ends now leaves on its disk.
  cpSync(join(folder, 'killed'), join(folder, 'left'), { recursive: true })
  const left = await sqliteStore(join(folder, 'left', 'jobs.db'))
  onTestFinished(left.close)
  const again = await sqlOpenings(left, registry, forLong)
  onTestFinished(again.close)
  expect((await again.list(of, { limit: 5 })).items).toEqual([after(1)])
})
