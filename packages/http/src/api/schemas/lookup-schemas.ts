import { profileLimits } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { mostEnsAccounts, mostProfiles, mostTitledTokens } from '../bounds.ts'

import { address, decimal, orNull, sample, TokenId, text, tokenIdsQuery } from './schema-parts.ts'

const addresses = (most: number) =>
  Type.String({
    pattern: `^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,${most - 1}}$`,
    description: `Addresses of accounts, with commas between them; ${most} at most.`,
    examples: [sample.address],
  })

export const EnsNamesQuery = Type.Object(
  { accounts: addresses(mostEnsAccounts) },
  { additionalProperties: false },
)

/** The query of profiles: one of its parts. */
export const ProfilesQuery = Type.Object(
  {
    accounts: Type.Optional(addresses(mostProfiles)),
    name: Type.Optional(
      Type.String({
        maxLength: profileLimits.name,
        description: 'Any part of a name, in any letter case and width.',
        examples: ['ada'],
      }),
    ),
  },
  { additionalProperties: false },
)

const described = {
  name: Type.String({
    maxLength: profileLimits.name,
    description: `Name, at most ${profileLimits.name} characters. Empty, as all else, to take a profile back.`,
    examples: ['Ada'],
  }),
  sentence: Type.String({
    maxLength: profileLimits.sentence,
    description: `One sentence, at most ${profileLimits.sentence} characters; empty for none.`,
    examples: ['I run the support of a small web shop.'],
  }),
  link: Type.String({
    maxLength: profileLimits.link,
    description: `Address that begins with https://, at most ${profileLimits.link} characters; empty for none.`,
    examples: ['https://ada.example'],
  }),
}

/** The body of a profile. */
export const SetProfileBody = Type.Object(
  {
    name: described.name,
    sentence: Type.Optional(described.sentence),
    link: Type.Optional(described.link),
  },
  { additionalProperties: false, description: 'How the account describes itself.' },
)

/** A profile in responses. */
export const ProfileRecord = Type.Object(
  {
    account: address('Address of the account. A name says nothing without it.'),
    ...described,
    resembles: Type.Optional(
      address('The account that took a name first that looks the same; absent where none did.'),
    ),
    signedAt: decimal('Time of the signature, in seconds since the Unix epoch.', '1767225600'),
    message: text(
      'The text that the account signed (EIP-191): anyone can verify the profile.',
      `heirloom:profile:127.0.0.1:3000:31337:${sample.address}:${sample.address}:1767225600\nName: Ada\nSentence: \nLink: `,
    ),
    signature: text('The signature of the text.', '0x'),
  },
  { description: 'How an account describes itself; it gives no right to anything.' },
)

export const ProfilesRecord = Type.Object(
  { items: Type.Array(ProfileRecord, { description: 'The profiles, in any order.' }) },
  { description: 'The profiles of those accounts that have one.' },
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
