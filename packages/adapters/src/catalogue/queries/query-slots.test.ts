import { expect, onTestFinished, test, vi } from 'vitest'
import { querySlots } from './query-slots.ts'

const busy = { code: 'catalogue/busy', facts: { retryAfterSeconds: 1 } }

test('runs a few at once, the others in order, and frees the slot of a query that fails', async () => {
  const { run } = querySlots({ concurrency: 2, queueLimit: 10, waitLimit: () => 10_000 })
  const started: number[] = []
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const done = gates.map(({ promise }, index) =>
    run(async () => {
      started.push(index)
      await promise
    }),
  )
  expect(started).toEqual([0, 1])
  gates[1]?.reject(new Error('no'))
  await expect(done[1]).rejects.toThrow('no')
  expect(started).toEqual([0, 1, 2])
  for (const { resolve } of gates) resolve()
  await Promise.all(done.filter((_, index) => index !== 1))
  expect(started).toEqual([0, 1, 2, 3, 4])
})

test('refuses at once where too many wait, and later a call that waits for too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { run } = querySlots({ concurrency: 1, queueLimit: 1, waitLimit: () => 250 })
  const gate = Promise.withResolvers<void>()
  const first = run(() => gate.promise)
  const waiting = run(async () => 'late')
  await expect(run(async () => 'never')).rejects.toMatchObject(busy)
  vi.advanceTimersByTime(250)
  await expect(waiting).rejects.toMatchObject(busy)
  gate.resolve()
  await first
  expect(await run(async () => 'again')).toBe('again')
})
