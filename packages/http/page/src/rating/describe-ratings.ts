import { scoreAverage } from '../../../src/client/ratings.ts'

/**
 * Describes ratings by their numbers for each score, that of score 1 first: the average, which says
 * nothing without the number of accounts.
 */
export function describeRatings(counts: readonly number[]): string {
  const rated = scoreAverage(counts)
  if (rated === undefined) return 'Nobody who paid has rated it yet.'
  return `${rated.average.toFixed(1)} of 5 on average, by ${payers(rated)}.`
}

/** Describes ratings in a few words, by their numbers for each score, that of score 1 first. */
export function summarizeRatings(counts: readonly number[]): string {
  const rated = scoreAverage(counts)
  if (rated === undefined) return 'Not rated yet'
  return `Rated ${rated.average.toFixed(1)} of 5 by ${payers(rated)}`
}

/** Describes ratings in one line of a card, by their numbers for each score, that of score 1 first. */
export function abbreviateRatings(counts: readonly number[]): string {
  const rated = scoreAverage(counts)
  return rated === undefined
    ? ''
    : `${rated.average.toFixed(1)} of 5 (${rated.number === 1 ? '1 rating' : `${rated.number} ratings`})`
}

const payers = ({ number }: { readonly number: number }) =>
  number === 1 ? '1 account that paid' : `${number} accounts that paid`
