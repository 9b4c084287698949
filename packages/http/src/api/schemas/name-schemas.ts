import { longestName } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import {
  address,
  ContentHash,
  decimal,
  ErasedAt,
  flag,
  integer,
  orNull,
  StorageUri,
  TokenId,
  TxHash,
  text,
} from './schema-parts.ts'

/** The private name of a line of versions. */
export const NameText = Type.String({
  maxLength: longestName.name,
  description:
    'Private name of a line of versions: segments of lower-case letters, digits, ".", "_" and "-", with slashes between them.',
  examples: ['ada/trading'],
})

export const NameParams = Type.Object({ name: NameText })

/** The members of a body that save to a name. */
export const saveMembers = {
  name: Type.Optional(NameText),
  after: Type.Optional(
    decimal(
      'With a name: the token that you believe to be its last version, "0" for none; another one is refused with name/moved. When absent, the one at the arrival of the request.',
      '7',
    ),
  ),
  accept: Type.Optional(
    flag(
      'Whether you have read the version before this one, and accept it as your own although somebody else saved it, with all before it. With a name it needs `after`, the version that you read.',
      false,
    ),
  ),
}

/** The last version of a name to forget. */
export const ForgetAfter = Type.Optional(
  decimal(
    'Token that you believe to be the last version of the name; with another one nothing is forgotten (name/moved). So a repeated request never removes a line that has begun since.',
    '7',
  ),
)

export const RenameBody = Type.Object({ name: NameText })

const milliseconds = (description: string) =>
  integer(`${description}, in milliseconds since the Unix epoch.`, 1767225600000)

/** The number of a version among those of its name. */
export const VersionNumber = integer('Number of the version of its name; the first is 1.', 3)

export const VersionRecord = Type.Object(
  {
    version: VersionNumber,
    tokenId: TokenId,
    contentHash: ContentHash,
    storageUri: StorageUri,
    txHash: orNull(TxHash, {
      description: 'Transaction of the mint; null where only the chain knows it.',
    }),
    savedAt: milliseconds('Time of the save'),
    savedBy: text('Who saved: an API key, an account or the operator.', 'ci'),
    documentBytes: integer('Size of the document, in bytes.', 10_485_760),
    storedBytes: integer(
      'Bytes that were stored for it; what it shares with earlier versions is not counted.',
      61_440,
    ),
    owner: orNull(address('Present owner of the token.'), {
      description: 'Present owner of the token; null while the catalogue does not show it.',
    }),
    isTransferred: flag(
      'Whether the token has another owner than at its mint: then only they, and renters, open it.',
      false,
    ),
    erasedAt: orNull(ErasedAt, {
      description: 'Time at which the memory was erased; null unless it was.',
    }),
  },
  { description: 'A version of a name.' },
)

export const NameRecord = Type.Object(
  { name: NameText, last: VersionRecord },
  { description: 'A name and its last version.' },
)

const endedGrants = integer('How many grants of the name ended.', 2)

/** A name that has another text now. */
export const RenamedRecord = Type.Object(
  { ...NameRecord.properties, endedGrants: Type.Optional(endedGrants) },
  { description: 'A name and its last version.' },
)

export const ForgottenRecord = Type.Object(
  { endedGrants },
  { description: 'The name is forgotten, and grants of it ended.' },
)
