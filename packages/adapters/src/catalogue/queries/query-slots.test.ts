import { expect, onTestFinished, test, vi } from 'vitest'
import { turns } from './query-slots.ts'

const busy = { code: 'catalogue/busy', facts: { retryAfterSeconds: 1 } }

test('works for a few at once, for the others in their order, and frees a turn that failed', async () => {
  const { take } = turns({ atOnce: 2, mostWaiting: 10, longestWait: () => 10_000 })
  const begun: number[] = []
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const done = gates.map(({ promise }, index) =>
    take(async () => {
      begun.push(index)
      await promise
    }),
  )
  expect(begun).toEqual([0, 1])
  gates[1]?.reject(new Error('no'))
  await expect(done[1]).rejects.toThrow('no')
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of gates) resolve()
  await Promise.all(done.filter((_, index) => index !== 1))
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

test('refuses at once where too many wait, and in time whoever would wait for too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { take } = turns({ atOnce: 1, mostWaiting: 1, longestWait: () => 250 })
  const gate = Promise.withResolvers<void>()
  const first = take(() => gate.promise)
  const waiting = take(async () => 'late')
  await expect(take(async () => 'never')).rejects.toMatchObject(busy)
  vi.advanceTimersByTime(250)
  await expect(waiting).rejects.toMatchObject(busy)
  gate.resolve()
  await first
  expect(await take(async () => 'again')).toBe('again')
})
