import { expect, test } from 'vitest'
import { formatExactTime } from '../text/moment.ts'
import { describeExtension } from './terms-table.tsx'

const end = 1_780_000_000
const day = 86_400

test.each([
  [7, '7 more days'],
  [1, '1 more day'],
])('a rental of %i days is added to the end of the current one', (days, more) => {
  const [now, then] = [end, end + days * day].map(formatExactTime)
  expect(describeExtension(end, days)).toBe(`You rent it until ${now}; ${more}: until ${then}.`)
})

test('without a number of days, it says when the current one ends', () => {
  expect(describeExtension(end, undefined)).toBe(`You rent it until ${formatExactTime(end)}.`)
})
