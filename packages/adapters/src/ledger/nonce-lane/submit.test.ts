import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchLimit } from './job.ts'
import { type Group, nextGroup } from './submit.ts'
import type { JobRow } from './job-row.ts'
import { sqliteStore } from '../../job-store/sqlite.ts'

const now = 1_800_000_000_000
const lane = 'lane'

const mintOf = (age: number): JobRow => ({
  ...({ id: randomUUID(), lane, operation: 'mint', to: '0x', data: '0x', value: '0' } as const),
  ...({
    key: null,
    fingerprint: null,
    budget: null,
    state: 'queued',
    nonce: null,
    txHash: null,
  } as const),
  ...{ outcome: null, acceptedAt: now - age },
})

const moment = fc.nat(2000)
const idle = fc.record({
  /** How long ago each of the mints was accepted. */
  ages: fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }),
  jobs: fc.nat(batchLimit),
  waited: moment,
  /** How long ago the last jobs were answered. */
  since: moment,
})

type Idle = typeof idle extends fc.Arbitrary<infer T> ? T : never

/** Returns what goes next on a lane on which nothing is unmined. */
async function next({ ages, jobs, waited, since }: Idle): Promise<Group> {
  const store = await sqliteStore(':memory:')
  await store.db.insertInto('job').values(ages.map(mintOf)).execute()
  const crew = { store, lane, now: () => now, patience: 120_000, window: 16 }
  const answered = { jobs, waited, at: now - since }
  const group = await nextGroup(crew, {
    open: () => [],
    usualTime: () => 0,
    answered: () => answered,
  })
  await store.close()
  return group
}

test('mints on an idle lane go together, at once or after a moment', async () => {
  const holds = async (it: Idle) => {
    const { rows, wait = 0 } = await next(it)
    expect(rows).toHaveLength(wait > 0 ? 0 : it.ages.length)
    // None waits longer than half of what the last ones took, nor longer than a quarter of a second.
    expect(Math.max(...it.ages) + wait).toBeLessThanOrEqual(
      wait > 0 ? Math.min(it.waited / 2, 250) : Number.POSITIVE_INFINITY,
    )
  }
  await fc.assert(fc.asyncProperty(idle, holds))
})

test('mints wait for no more than were answered together, and only shortly after', async () => {
  const holds = async (it: Idle) => {
    expect((await next({ ...it, jobs: Math.min(it.jobs, it.ages.length) })).wait).toBeUndefined()
    expect((await next({ ...it, since: it.waited + 1 })).wait).toBeUndefined()
  }
  await fc.assert(fc.asyncProperty(idle, holds))
})

test('nothing waits for a clock that was put back', async () => {
  const holds = async (it: Idle, back: number) => {
    const future = { ...it, ages: it.ages.map((age) => age - 2001 - back) }
    expect((await next(future)).wait).toBeUndefined()
    expect((await next({ ...it, since: -1 - back })).wait).toBeUndefined()
  }
  await fc.assert(fc.asyncProperty(idle, fc.nat(1e9), holds))
})

test('a mint waits for those who were answered together with its caller a moment ago', async () => {
  expect(await next({ ages: [3], jobs: 2, waited: 40, since: 5 })).toEqual({ rows: [], wait: 17 })
  expect(await next({ ages: [3], jobs: 2, waited: 4000, since: 5 })).toEqual({
    ...{ rows: [], wait: 247 },
  })
})
