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

type Props = { readonly tokenId: string }

/** Shows how a memory was rated, where somebody rated it. */
export function RatingSummary({ tokenId }: Props): JSX.Element | undefined {
  const counts = counted.useValue(tokenId === '' ? undefined : tokenId)
  if (counts === undefined || counts.every((count) => count === 0)) return undefined
  return (
    <span class="rated" title={summarizeRatings(counts)}>
      {abbreviateRatings(counts)}
    </span>
  )
}

/**
 * Describes ratings by their numbers for each score, that of score 1 first: the average, which says
 * nothing without the number of accounts.
 */
export function describeRatings(counts: readonly number[]): string {
  const rated = scoreAverage(counts)
  return rated === undefined ? 'Nobody who paid has rated it yet.' : describeAverage(rated)
}

/** Describes ratings in a few words, by their numbers for each score, that of score 1 first. */
export function summarizeRatings(counts: readonly number[]): string {
  const rated = scoreAverage(counts)
  return rated === undefined ? 'Not rated yet' : `Rated ${summarizeAverage(rated)}`
}

/** Describes ratings in one line of a card, by their numbers for each score, that of score 1 first. */
export function abbreviateRatings(counts: readonly number[]): string {
  const rated = scoreAverage(counts)
  return rated === undefined
    ? ''
    : `${rated.average.toFixed(1)} of 5 (${rated.number === 1 ? '1 rating' : `${rated.number} ratings`})`
}
