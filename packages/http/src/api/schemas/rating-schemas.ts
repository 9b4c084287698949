import { commentLimits } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { mostRatedTokens } from '../bounds.ts'
import { pageRecord } from './catalogue-schemas.ts'
import {
  address,
  choice,
  decimal,
  hex32,
  sample,
  TokenId,
  text,
  tokenIdsQuery,
} from './schema-parts.ts'

const Score = Type.Integer({
  minimum: 1,
  maximum: 5,
  description: 'Judgement of the memory, from 1, the worst, to 5, the best.',
  examples: [4],
})

const commentText = {
  description: `Reasons, at most ${commentLimits.length} characters; empty for none.`,
  examples: ['Saved me a week.'],
}

/** The body of a rating. */
export const RateBody = Type.Object(
  {
    score: Score,
    comment: Type.Optional(Type.String({ maxLength: commentLimits.length, ...commentText })),
  },
  { additionalProperties: false, description: 'The opinion of the account.' },
)

/** A rating in responses. */
export const RatingRecord = Type.Object(
  {
    tokenId: TokenId,
    account: address('Address of the account that paid and rated.'),
    score: Score,
    comment: Type.String(commentText),
    ratedAt: decimal('Time of the signature, in seconds since the Unix epoch.', '1767225600'),
    act: choice<'buy' | 'rent' | 'fork'>(
      ['buy', 'rent', 'fork'],
      'The last act that was paid for.',
      'rent',
    ),
    txHash: hex32('Hash of the transaction that paid: 0x and 64 hex digits.'),
    message: text(
      'The text that the account signed (EIP-191): anyone can verify the rating.',
      `heirloom:rate:127.0.0.1:3000:31337:${sample.address}:1:${sample.address}:1767225600:4:`,
    ),
    signature: text('The signature of the text.', '0x'),
  },
  { description: 'A rating by an account that paid.' },
)

const ratings = pageRecord(RatingRecord, 'Ratings.')

const counts = Type.Array(Type.Integer({ examples: [4] }), {
  minItems: 5,
  maxItems: 5,
  description: 'Numbers of all ratings with each score, that of score 1 first.',
  examples: [[0, 0, 1, 4, 2]],
})

/** The ratings of a token. */
export const RatingsRecord = Type.Object(
  { ...ratings.properties, counts },
  { description: 'A page of the ratings of a token, and their numbers.' },
)

export const RatingCountsQuery = tokenIdsQuery(mostRatedTokens)

export const RatingCountsRecord = Type.Object(
  {
    items: Type.Array(Type.Object({ tokenId: TokenId, counts }), {
      description: 'The tokens, in the order of the request.',
    }),
  },
  { description: 'The numbers of the ratings of several tokens.' },
)
