import type { JSX } from 'preact'
import { mostRatedTokens } from '../../../src/api/bounds.ts'
import type { RatingCounts } from '../../../src/client/responses.ts'
import { addressOf } from '../api/address-of.ts'
import { batchReads } from '../api/batch-reads.ts'
import { getJson } from '../api/get-json.ts'
import { abbreviateRatings, summarizeRatings } from './describe-ratings.ts'

const counted = batchReads({
  most: mostRatedTokens,
  read: async (tokenIds) => {
    const path = addressOf('ratingCounts', { tokenIds: tokenIds.join() })
    return (await getJson<RatingCounts>(path)).items.map(({ counts }) => counts)
  },
})

/** Has the ratings of a token counted again, when something shows them next. */
export const countAgain = counted.forget

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
