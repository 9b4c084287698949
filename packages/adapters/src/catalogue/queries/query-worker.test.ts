import { tokenId } from '@heirloom/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { worker } from '../../platform/worker.ts'
import { type ReaderAnswer, type ReaderJob, workerReader } from './query-worker.ts'

const program = new URL('../test/mortal-query-worker.ts', import.meta.url)

function open() {
  const reader = workerReader(
    'unused',
    worker<ReaderJob, ReaderAnswer>(program, Number.POSITIVE_INFINITY),
  )
  onTestFinished(() => reader.end())
  return (id: bigint) => reader.ask('lineage', tokenId(id))
}

test('a worker that dies fails what was under way and is replaced', async () => {
  const ask = open()
  expect(await ask(1n)).toBe(1)
  await expect(ask(13n)).rejects.toThrow('The worker ended.')
  expect(await ask(2n)).toBe(2)
})

test('questions that come before the worker has started wait for it', async () => {
  const ask = open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const asked = Promise.all([ask(1n), ask(2n), ask(3n)])
  vi.advanceTimersByTime(9_000)
  expect(await asked).toEqual([1, 2, 3])
})

test('a question that is not answered in time is refused', async () => {
  const ask = open()
  expect(await ask(1n)).toBe(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const asked = ask(14n)
  vi.advanceTimersByTime(450)
  await expect(asked).rejects.toMatchObject({
    code: 'catalogue/too-costly',
    facts: { milliseconds: 200, retryAfterSeconds: 1 },
  })
})
