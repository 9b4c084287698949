import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from './system.ts'

test('returns the system time', () => {
  const before = Date.now()
  const now = systemClock().now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test('stands still while the system time is behind the last result, then goes on', () => {
  const times = [1000, 400, 999, 1001]
  const clock = systemClock({ read: () => times.shift() ?? 0 })
  expect([clock.now(), clock.now(), clock.now(), clock.now()]).toEqual([1000, 1000, 1000, 1001])
})

test('returns whole milliseconds that never go back, whatever the system time does', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e13, noNaN: true })), (times) => {
      const left = [...times]
      const clock = systemClock({ read: () => left.shift() ?? 0 })
      const results = times.map(() => clock.now())
      expect(results).toEqual(results.toSorted((one, other) => one - other))
      expect(results.every(Number.isInteger)).toBe(true)
    }),
  )
})
