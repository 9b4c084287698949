import { tokenId } from '@heirloom/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { worker } from '../../platform/worker.ts'
import { type QueryJob, type QueryReply, queryWorker } from './query-worker.ts'

const program = new URL('../test/failing-query-worker.ts', import.meta.url)

function openReader() {
  const reader = queryWorker(
    'unused',
    worker<QueryJob, QueryReply>(program, Number.POSITIVE_INFINITY),
  )
  onTestFinished(() => reader.end())
  return (id: bigint) => reader.runQuery('lineage', { tokenId: tokenId(id) })
}

test('rejects the running query of a worker that exits, and starts a new worker', async () => {
  const query = openReader()
  expect(await query(1n)).toBe(1)
  await expect(query(13n)).rejects.toThrow('The worker ended.')
  expect(await query(2n)).toBe(2)
})

test('lets queries wait for the start of the worker', async () => {
  const query = openReader()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const results = Promise.all([query(1n), query(2n), query(3n)])
  vi.advanceTimersByTime(9_000)
  expect(await results).toEqual([1, 2, 3])
})

test('refuses a query that takes too long', async () => {
  const query = openReader()
  expect(await query(1n)).toBe(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const result = query(14n)
  vi.advanceTimersByTime(450)
  await expect(result).rejects.toMatchObject({
    code: 'catalogue/too-costly',
    facts: { milliseconds: 200, retryAfterSeconds: 1 },
  })
})
