import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printTime } from './print-time.ts'
import { instant } from './time.ts'

test('prints seconds of UTC', () => {
  expect(printTime(instant(0))).toBe('1970-01-01 00:00:00 UTC')
  expect(printTime(instant(1_709_251_199_999))).toBe('2024-02-29 23:59:59 UTC')
})

test('prints the calendar of the platform', () => {
  const lastOfYear9999 = Date.UTC(10_000, 0, 1) - 1
  fc.assert(
    fc.property(fc.integer({ min: 0, max: lastOfYear9999 }), (moment) => {
      const text = new Date(moment).toISOString()
      expect(printTime(instant(moment))).toBe(`${text.slice(0, 10)} ${text.slice(11, 19)} UTC`)
    }),
  )
})
