import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from './system.ts'

test('tells the time of the system', () => {
  const before = Date.now()
  const now = systemClock().now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test('stands still while the system is behind a moment already told, then goes on', () => {
  const times = [1000, 400, 999, 1001]
  const clock = systemClock({ read: () => times.shift() ?? 0 })
  expect([clock.now(), clock.now(), clock.now(), clock.now()]).toEqual([1000, 1000, 1000, 1001])
})

test('tells whole milliseconds that never go back, whatever the system does', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e13, noNaN: true })), (times) => {
      const left = [...times]
      const clock = systemClock({ read: () => left.shift() ?? 0 })
      const told = times.map(() => clock.now())
      expect(told).toEqual(told.toSorted((one, other) => one - other))
      expect(told.every(Number.isInteger)).toBe(true)
    }),
  )
})
