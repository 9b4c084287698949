/** The average of scores, and how many there are. */
export type ScoreAverage = { readonly average: number; readonly number: number }

/** Describes an average in a sentence, with the number of scores. */
export const describeAverage = ({ average, number }: ScoreAverage): string =>
  `${average.toFixed(1)} of 5 on average, by ${number} that paid.`

/** Averages scores by their numbers, that of score 1 first; `undefined` where there are none. */
export function scoreAverage(counts: readonly number[]): ScoreAverage | undefined {
  const number = counts.reduce((sum, count) => sum + count, 0)
  const sum = counts.reduce((total, count, at) => total + count * (at + 1), 0)
  return number === 0 ? undefined : { average: sum / number, number }
}
