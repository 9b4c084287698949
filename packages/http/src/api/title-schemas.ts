import { Type } from '@sinclair/typebox'
import { mostTitledTokens } from './bounds.ts'
import { TokenId, tokenIdsQuery } from './schema-parts.ts'

/** The query of titles. */
export const TitlesQuery = tokenIdsQuery(mostTitledTokens)

const title = Type.String({
  description: 'Title of the card; absent when the token shows none.',
  examples: ['A year of trades'],
})

/** The titles of several tokens. */
export const TitlesRecord = Type.Object(
  {
    items: Type.Array(Type.Object({ tokenId: TokenId, title: Type.Optional(title) }), {
      description: 'The tokens, in the order of the request.',
    }),
  },
  { description: 'The titles of several tokens.' },
)
