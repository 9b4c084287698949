import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sqliteStore } from '../../store/sqlite.ts'
import { batchLimit } from './job.ts'
import type { JobRow } from './job-row.ts'
import { type Batch, nextBatch } from './submit.ts'

const now = 1_800_000_000_000
const lane = 'lane'

const mintRow = (age: number): JobRow => ({
  ...({ id: randomUUID(), lane, operation: 'mint', to: '0x', data: '0x', value: '0' } as const),
  ...({
    key: null,
    fingerprint: null,
    budget: null,
    state: 'queued',
    nonce: null,
    txHash: null,
  } as const),
  outcome: null,
  acceptedAt: now - age,
  requestId: null,
  traceparent: null,
})

const duration = fc.nat(2000)
const idleLane = fc.record({
  /** The age of each queued mint, in milliseconds. */
  ages: fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }),
  jobs: fc.nat(batchLimit),
  waited: duration,
  /** The time since the last jobs settled, in milliseconds. */
  since: duration,
})

type IdleLane = typeof idleLane extends fc.Arbitrary<infer T> ? T : never

/** Returns the next batch of a lane without unmined transactions. */
async function nextOf({ ages, jobs, waited, since }: IdleLane): Promise<Batch> {
  const store = await sqliteStore(':memory:')
  await store.db.insertInto('job').values(ages.map(mintRow)).execute()
  const context = { store, lane, now: () => now, callerTimeout: 120_000, window: 16 }
  const lastSettled = { jobs, waited, at: now - since }
  const batch = await nextBatch(context, {
    open: () => [],
    averageWait: () => 0,
    lastSettled: () => lastSettled,
  })
  await store.close()
  return batch
}

test('mints on an idle lane share one batch, at once or after a short wait', async () => {
  const holds = async (it: IdleLane) => {
    const { rows, wait = 0 } = await nextOf(it)
    expect(rows).toHaveLength(wait > 0 ? 0 : it.ages.length)
    // A mint waits at most half as long as the last jobs waited, and at most 250 ms.
    expect(Math.max(...it.ages) + wait).toBeLessThanOrEqual(
      wait > 0 ? Math.min(it.waited / 2, 250) : Number.POSITIVE_INFINITY,
    )
  }
  await fc.assert(fc.asyncProperty(idleLane, holds))
})

test('mints wait for at most as many as settled together, and only shortly after', async () => {
  const holds = async (it: IdleLane) => {
    expect((await nextOf({ ...it, jobs: Math.min(it.jobs, it.ages.length) })).wait).toBeUndefined()
    expect((await nextOf({ ...it, since: it.waited + 1 })).wait).toBeUndefined()
  }
  await fc.assert(fc.asyncProperty(idleLane, holds))
})

test('nothing waits after the clock was set back', async () => {
  const holds = async (it: IdleLane, back: number) => {
    const future = { ...it, ages: it.ages.map((age) => age - 2001 - back) }
    expect((await nextOf(future)).wait).toBeUndefined()
    expect((await nextOf({ ...it, since: -1 - back })).wait).toBeUndefined()
  }
  await fc.assert(fc.asyncProperty(idleLane, fc.nat(1e9), holds))
})

test('a mint waits for the callers whose jobs settled with its own a moment ago', async () => {
  expect(await nextOf({ ages: [3], jobs: 2, waited: 40, since: 5 })).toEqual({ rows: [], wait: 17 })
  expect(await nextOf({ ages: [3], jobs: 2, waited: 4000, since: 5 })).toEqual({
    rows: [],
    wait: 247,
  })
})
