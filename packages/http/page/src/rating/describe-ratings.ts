/**
 * Describes ratings by their numbers for each score, that of score 1 first: the average, which says
 * nothing without the number of accounts.
 */
export function describeRatings(counts: readonly number[]): string {
  const number = counts.reduce((sum, count) => sum + count, 0)
  if (number === 0) return 'Nobody who paid has rated it yet.'
  const sum = counts.reduce((total, count, at) => total + count * (at + 1), 0)
  const accounts = number === 1 ? '1 account' : `${number} accounts`
  return `${(sum / number).toFixed(1)} of 5 on average, by ${accounts} that paid.`
}
