import { mostRatedTokens } from '../../../src/api/bounds.ts'
import { describeAverage, scoreAverage, summarizeAverage } from '../../../src/client/ratings.ts'
import { batchReads } from '../api/batch-reads.ts'
import { readNow } from '../api/get-json.ts'

const counted = batchReads({
  most: mostRatedTokens,
  read: async (tokenIds) => {
    const { items } = await readNow('ratingCounts', { tokenIds: tokenIds.join() })
    return items.map(({ counts }) => counts)
  },
})

/** Has the ratings of a token counted again, when something shows them next. */
export const countAgain = counted.forget

/** Returns the number of ratings of a token for each score, once it is known. */
export const useRatingCounts = counted.useValue

/** Shows how a memory was rated, where somebody rated it. */
export function RatingSummary({ tokenId }: { readonly tokenId: string }): JSX.Element | undefined {
  const counts = counted.useValue(tokenId === '' ? undefined : tokenId)
  if (counts === undefined || counts.every((count) => count === 0)) return undefined
  return (
    <span class="rated" title={summarizeRatings(counts)}>
      {abbreviateRatings(counts)}
    </span>
  )
}

/** Returns a function that describes ratings by their numbers for each score, that of score 1 first. */
const describing = (none: string, words: typeof describeAverage) => {
  return (counts: readonly number[]): string => {
    const rated = scoreAverage(counts)
    return rated === undefined ? none : words(rated)
  }
}

/** Describes ratings: the average, which says nothing without the number of accounts. */
export const describeRatings = describing('Nobody who paid has rated it yet.', describeAverage)

/** Describes ratings in a few words. */
export const summarizeRatings = describing('Not rated yet', (it) => `Rated ${summarizeAverage(it)}`)

/** Describes ratings in one line of a card. */
export const abbreviateRatings = describing('', ({ average, number }) => {
  return `${average.toFixed(1)} of 5 (${number === 1 ? '1 rating' : `${number} ratings`})`
})
