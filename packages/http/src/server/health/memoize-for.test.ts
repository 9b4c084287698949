import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoizeFor } from './memoize-for.ts'

test('runs at most once in each period, and never returns an older result', async () => {
  const milliseconds = 1000
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1500)), async (pauses) => {
      let time = 0
      const runs: number[] = []
      const compute = async () => runs.push(time) && time
      const memoized = memoizeFor(compute, { milliseconds, now: () => time })
      for (const pause of pauses) {
        time += pause
        expect(time - (await memoized())).toBeLessThanOrEqual(milliseconds)
      }
      const gaps = runs.slice(1).map((at, before) => at - (runs[before] ?? 0))
      for (const gap of gaps) expect(gap).toBeGreaterThan(milliseconds)
    }),
  )
})

test('runs once for concurrent calls, and caches a failure no longer than a result', async () => {
  let time = 0
  let runs = 0
  const compute = async () => {
    if (runs++ === 0) throw new Error('down')
    return 'up'
  }
  const memoized = memoizeFor(compute, { milliseconds: 1000, now: () => time })
  const outcomes = await Promise.allSettled([memoized(), memoized(), memoized()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(runs).toBe(1)
  time = 1001
  expect(await memoized()).toBe('up')
})
