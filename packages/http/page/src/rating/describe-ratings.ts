import { scoreAverage } from '../../../src/api/score-average.ts'

/**
 * Describes ratings by their numbers for each score, that of score 1 first: the average, which says
 * nothing without the number of accounts.
 */
export function describeRatings(counts: readonly number[]): string {
  const rated = scoreAverage(counts)
  if (rated === undefined) return 'Nobody who paid has rated it yet.'
  const { average, number } = rated
  const accounts = number === 1 ? '1 account' : `${number} accounts`
  return `${average.toFixed(1)} of 5 on average, by ${accounts} that paid.`
}
