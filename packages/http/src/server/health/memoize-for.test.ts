import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoizeFor } from './memoize-for.ts'

test('asks once in any span of its length, and never tells anything older', async () => {
  const milliseconds = 1000
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1500)), async (pauses) => {
      let time = 0
      const asked: number[] = []
      const question = async () => asked.push(time) && time
      const ask = memoizeFor(question, { milliseconds, now: () => time })
      for (const pause of pauses) {
        time += pause
        expect(time - (await ask())).toBeLessThanOrEqual(milliseconds)
      }
      const gaps = asked.slice(1).map((at, before) => at - (asked[before] ?? 0))
      for (const gap of gaps) expect(gap).toBeGreaterThan(milliseconds)
    }),
  )
})

test('asks once when many ask at once, and forgets a failure as it forgets an answer', async () => {
  let time = 0
  let asked = 0
  const question = async () => {
    if (asked++ === 0) throw new Error('down')
    return 'up'
  }
  const ask = memoizeFor(question, { milliseconds: 1000, now: () => time })
  const outcomes = await Promise.allSettled([ask(), ask(), ask()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(asked).toBe(1)
  time = 1001
  expect(await ask()).toBe('up')
})
