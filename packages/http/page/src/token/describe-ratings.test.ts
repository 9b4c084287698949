import fc from 'fast-check'
import { expect, test } from 'vitest'
import { abbreviateRatings, describeRatings, summarizeRatings } from './rating-summary.tsx'

test('says how many accounts rated', () => {
  expect(describeRatings([0, 0, 0, 0, 0])).toBe('Nobody who paid has rated it yet.')
  expect(describeRatings([0, 0, 0, 0, 1])).toBe('5.0 of 5 on average, by 1 account that paid.')
  expect(describeRatings([1, 0, 0, 1, 1])).toBe('3.3 of 5 on average, by 3 accounts that paid.')
})

test('says it in a few words beside the terms', () => {
  expect(summarizeRatings([0, 0, 0, 0, 0])).toBe('Not rated yet')
  expect(summarizeRatings([0, 0, 0, 0, 1])).toBe('Rated 5.0 of 5 by 1 account that paid')
  expect(summarizeRatings([1, 0, 0, 1, 1])).toBe('Rated 3.3 of 5 by 3 accounts that paid')
})

test('says it in one line of a card', () => {
  expect(abbreviateRatings([0, 0, 0, 0, 0])).toBe('')
  expect(abbreviateRatings([1, 0, 0, 1, 1])).toBe('3.3 of 5 (3 ratings)')
  expect(abbreviateRatings([0, 1, 0, 0, 0])).toBe('2.0 of 5 (1 rating)')
})

test('returns an average between the lowest and the highest score', () =>
  fc.assert(
    fc.property(fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9)), (counts) => {
      const scores = counts.flatMap((count, at) => Array<number>(count).fill(at + 1))
      fc.pre(scores.length > 0)
      const average = Number.parseFloat(describeRatings(counts))
      expect(average).toBeGreaterThanOrEqual(Math.min(...scores))
      expect(average).toBeLessThanOrEqual(Math.max(...scores))
      expect(average).toBeCloseTo(scores.reduce((a, b) => a + b) / scores.length, 0)
    }),
  ))
