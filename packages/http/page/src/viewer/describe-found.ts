/** The values that were found by a text or a JSONPath. */
export type Found = {
  readonly text: string
  readonly count: number
  readonly hasMore: boolean
  /** The match that is shown, from 0; absent when all are shown as results. */
  readonly nth?: number
}

/** Describes what was found. */
export function describeFound({ count, hasMore, nth }: Found): string {
  if (count === 0) return 'Nothing found.'
  const number = count.toLocaleString('en')
  if (nth === undefined) {
    const values = `${hasMore ? 'More than ' : ''}${number} ${count === 1 ? 'value' : 'values'}`
    return `${values}. Empty the field to see the whole.`
  }
  const matches = `${hasMore ? 'more than ' : ''}${number} ${count === 1 ? 'match' : 'matches'}`
  return `${(nth + 1).toLocaleString('en')} of ${matches}`
}
