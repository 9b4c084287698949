import type { Hex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { failedSettlements } from './job-queries.ts'
import { sqliteStore } from './sqlite.ts'

test('every settlement that failed since a time is found, however many there are', async () => {
  const store = await sqliteStore(':memory:')
  onTestFinished(store.close)
  const lane = '1:0x0:0x0'
  await store.db.insertInto('lane').values({ id: lane, nextNonce: 0, epoch: 0 }).execute()
  const dataOf = (number: number): Hex => `0x${number.toString(16).padStart(8, '0')}`
  const jobs = Array.from({ length: 2_600 }, (_, number) => ({
    id: `job ${(number * 7919) % 2_600}`,
    lane,
    operation: 'settle',
    to: '0x' as Hex,
    data: dataOf(number),
    value: '0',
    key: null,
    fingerprint: null,
    budget: null,
    nonce: null,
    txHash: null,
    outcome: null,
    requestId: null,
    traceparent: null,
    // Many at the same time, also across the end of a batch.
    state: 'failed' as const,
    acceptedAt: Math.floor(number / 900),
  }))
  for (let from = 0; from < jobs.length; from += 100) {
    await store.db
      .insertInto('job')
      .values(jobs.slice(from, from + 100))
      .execute()
  }
  const found: Hex[] = []
  for await (const data of failedSettlements(store, 0)) found.push(data)
  expect(found.toSorted()).toEqual(jobs.map(({ data }) => data))
  const late: Hex[] = []
  for await (const data of failedSettlements(store, 2)) late.push(data)
  expect(late).toHaveLength(800)
})
