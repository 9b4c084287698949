import { Type } from '@sinclair/typebox'
import { mostEnsAccounts, mostTitledTokens } from '../bounds.ts'

import { address, orNull, sample, TokenId, text, tokenIdsQuery } from './schema-parts.ts'

const addresses = `^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,${mostEnsAccounts - 1}}$`

export const EnsNamesQuery = Type.Object(
  {
    accounts: Type.String({
      pattern: addresses,
      description: `Addresses of accounts, with commas between them; ${mostEnsAccounts} at most.`,
      examples: [sample.address],
    }),
  },
  { additionalProperties: false },
)

export const EnsNamesRecord = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        account: address('Address of the account.'),
        name: orNull(
          text(
            'Its primary name: the account chose it, and it leads back to the account. Null for none.',
            'ada.eth',
          ),
        ),
      }),
      { description: 'The accounts, in the order of the request.' },
    ),
  },
  { description: 'The ENS names of accounts.' },
)

export const EnsNameParams = Type.Object({
  name: Type.String({
    maxLength: 255,
    description: 'A name of ENS, in any spelling.',
    examples: ['ada.eth'],
  }),
})

export const EnsAccountRecord = Type.Object(
  {
    name: text('The name, as ENS writes it.', 'ada.eth'),
    account: orNull(
      address('Address of the account that the name leads to; null where it leads nowhere.'),
    ),
  },
  { description: 'The account that a name of ENS leads to.' },
)

/** The query of titles. */
export const TitlesQuery = tokenIdsQuery(mostTitledTokens)

const title = text('Title of the card; absent when the token shows none.', 'A year of trades')

/** The titles of several tokens. */
export const TitlesRecord = Type.Object(
  {
    items: Type.Array(Type.Object({ tokenId: TokenId, title: Type.Optional(title) }), {
      description: 'The tokens, in the order of the request.',
    }),
  },
  { description: 'The titles of several tokens.' },
)
