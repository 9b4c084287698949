import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('computes at most once in each period, and never returns an expired result', async () => {
  const resultFor = 1000
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1500)), async (pauses) => {
      let time = 0
      const runs: number[] = []
      const compute = async () => runs.push(time) && time
      const memoized = memoize(compute, { resultFor, now: () => time })
      for (const pause of pauses) {
        time += pause
        expect(time - (await memoized())).toBeLessThan(resultFor)
      }
      const gaps = runs.slice(1).map((at, before) => at - (runs[before] ?? 0))
      for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(resultFor)
    }),
  )
})

/** Computes the number of its runs; the first `failures` runs fail. */
function countRuns(failures: number) {
  let runs = 0
  return async () => {
    runs += 1
    if (runs <= failures) throw new Error('down')
    return runs
  }
}

test('computes once for ever, however many call at once', async () => {
  const memoized = memoize(countRuns(0))
  expect(await Promise.all([memoized(), memoized()])).toEqual([1, 1])
  expect(await memoized()).toBe(1)
})

test('computes again after a failure', async () => {
  const memoized = memoize(countRuns(2), { now: () => 0 })
  const outcomes = await Promise.allSettled([memoized(), memoized()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(memoized()).rejects.toThrow('down')
  expect([await memoized(), await memoized()]).toEqual([3, 3])
})

test('throws a failure again for its period', async () => {
  let time = 0
  const memoized = memoize(countRuns(1), { failureFor: 1000, now: () => time })
  await expect(memoized()).rejects.toThrow('down')
  time = 999
  await expect(memoized()).rejects.toThrow('down')
  time = 1000
  expect(await memoized()).toBe(2)
})

test('shares a computation that takes longer than its result is good for', async () => {
  let time = 0
  const gates = [1, 2].map(() => Promise.withResolvers<void>())
  let runs = 0
  const compute = async () => {
    runs += 1
    await gates[runs - 1]?.promise
    return runs
  }
  const memoized = memoize(compute, { resultFor: 1000, now: () => time })
  const first = memoized()
  time = 5000
  const second = memoized()
  gates[0]?.resolve()
  expect(await Promise.all([first, second])).toEqual([1, 1])
  gates[1]?.resolve()
  expect(await memoized()).toBe(2)
})
