import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCountdown, formatRelativeTime, formatSpan } from './moment.ts'

test.each([
  [0, 'just now'],
  [-59, 'just now'],
  [20, 'just now'],
  [50, 'in less than a minute'],
  [-60, '1 minute ago'],
  [7200, 'in 2 hours'],
  [-86_400, 'yesterday'],
  [86_400 - 1, 'in 24 hours'],
  [7 * 86_400 - 1, 'in 7 days'],
  [14 * 86_400 - 60, 'in 14 days'],
  [30 * 86_400 - 1, 'in 30 days'],
  [-7 * 86_400 + 1, '6 days ago'],
  [-45 * 86_400, '45 days ago'],
  [-61 * 86_400, '2 months ago'],
  [86_400 * 800, 'in 2 years'],
])('a time %s seconds away is %s', (distance, words) => {
  expect(formatRelativeTime(1_000_000_000 + distance, 1_000_000_000)).toBe(words)
})

test.each([
  [0, ''],
  [-5, ''],
  [59, '59 s'],
  [3 * 86_400 - 1, '2 d 23 h'],
  [3600, '1 h 0 min'],
])('what is left of %s seconds is "%s"', (left, words) => {
  expect(formatCountdown(left, 0)).toBe(words)
})

test('a countdown is never longer than the remaining time', () => {
  const seconds = { d: 86_400, h: 3600, min: 60, s: 1 } as const
  fc.assert(
    fc.property(fc.nat(400 * 86_400), (left) => {
      const words = [...formatCountdown(left, 0).matchAll(/(\d+) (d|h|min|s)/g)]
      const shown = words.reduce(
        (sum, [, count, unit]) => sum + Number(count) * seconds[unit as keyof typeof seconds],
        0,
      )
      expect(shown).toBeLessThanOrEqual(left)
      expect(left - shown).toBeLessThan(words[0]?.[2] === 'd' ? 3600 : 60)
    }),
  )
})

test('an axis of time has dates at its ends, and the time of day where they are the same', () => {
  const noon = new Date(2026, 10, 21, 12).getTime() / 1000
  expect(formatSpan(noon - 3 * 86_400, noon)).toEqual(['18 Nov 2026', '21 Nov 2026'])
  expect(formatSpan(noon, noon + 90)).toEqual(['21 Nov 2026, 12:00', '21 Nov 2026, 12:01'])
})
