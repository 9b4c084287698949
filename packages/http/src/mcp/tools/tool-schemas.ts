import type { SecretChoice } from '@heirloom/adapters/formats'
import { maxRentalDays } from '@heirloom/core'
import { type TProperties, Type } from '@sinclair/typebox'
import { addressPattern } from '../../api/address.ts'
import { orNull, pageRecord, TokenRecord } from '../../api/catalogue-schemas.ts'
import {
  ContentHash,
  Document,
  ForkBody,
  hex32,
  RentBody,
  SnapshotBody,
  sample,
  TokenId,
  WalletRecord,
  wei,
} from '../../api/schemas.ts'
import type { Memory } from '../../client/download.ts'
import { secretChoices } from './without-secrets.ts'

/** Arguments that may be these and no others, so that a wrong name is told. */
export const argumentsOf = <Arguments extends TProperties>(properties: Arguments) =>
  Type.Object(properties, { additionalProperties: false })

/** The argument of whatever is asked about one token. */
export const OneToken = argumentsOf({ tokenId: TokenId })

const idempotencyKey = Type.Optional(
  Type.String({
    pattern: '^[!-~]{1,200}$',
    description:
      'Makes it once: the same call with the same key is answered as it was then, another one is refused. Give one to a call that may have to be repeated.',
    examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
  }),
)

/** What comes with everything that is written. */
export const written = { idempotencyKey }

const wallet = (description: string) =>
  Type.Unsafe<`0x${string}`>(
    Type.String({ pattern: addressPattern, description, examples: [sample.address] }),
  )

/** The argument of whatever is asked about an account. */
export const OneAccount = argumentsOf({ address: wallet('A wallet.') })

const recipient = Type.Optional(
  wallet(
    'The wallet that receives; the wallet of this session when absent, or the agent wallet where it has none.',
  ),
)

const maxPrice = wei('The most that may be paid for all of it; if it costs more, nothing is paid')

/** What comes with everything that is acquired. */
export const acquired = { tokenId: TokenId, maxPrice, recipient, ...written }

/** What comes with a fork. */
export const forked = { ...acquired, maxRoyaltyBps: ForkBody.properties.maxRoyaltyBps }

export const rented = {
  ...acquired,
  durationDays: Type.Integer({
    ...RentBody.properties.durationDays,
    description: `How many whole days, 1 to ${maxRentalDays}.`,
  }),
}

const { data, metadata, card, parentTokenId } = SnapshotBody.properties

const secrets = Type.Optional(
  Type.Unsafe<SecretChoice>({
    type: 'string',
    enum: secretChoices,
    description:
      'What to do where the memory or its card holds what looks like keys, passwords or other secrets: refuse, which is so when absent, redact them, or keep them if the user wants that.',
    examples: ['redact'],
  }),
)

/** What comes with a memory that is snapshot. */
export const beside = {
  secrets,
  card,
  parentTokenId,
  recipient: Type.Optional(
    wallet(
      'The wallet that owns the token; the agent wallet when absent, which alone can list it.',
    ),
  ),
  ...written,
}

export const memory = { data, metadata }

const salt = hex32('The 32 random bytes that precede the document in its content hash.')
const bytes = Type.Integer({ description: 'The length of the document.', examples: [4096] })

const opened = { tokenId: TokenId, contentHash: ContentHash, salt, bytes }

/** Returns what is told of every memory that was opened. */
export const openedOf = ({ tokenId, contentHash, salt, document }: Memory) => ({
  ...{ tokenId, contentHash, salt },
  bytes: document.length,
})

/** A memory that was opened, or a part of it. */
export const OpenedMemory = Type.Object(
  {
    ...opened,
    data: Type.Optional(Document.properties.data),
    metadata: Type.Optional(Document.properties.metadata),
    text: Type.Optional(
      Type.String({
        description: 'A part of the exact text of the document.',
        examples: ['{"data":{},"metadata":{"category":"research"}}'],
      }),
    ),
    next: orNull(
      Type.Integer({
        description: 'Give it back as `offset` to read on; null where nothing is left.',
        examples: [40_000],
      }),
    ),
  },
  { description: 'A memory whose hash is the one on the chain.' },
)

export const SavedMemory = Type.Object(
  { ...opened, path: Type.String({ description: 'Where it is now.', examples: ['trader.json'] }) },
  { description: 'Where the document is, byte for byte.' },
)

export const Verified = Type.Object(
  {
    tokenId: TokenId,
    matches: Type.Boolean({ description: 'Whether the document is the one that was snapshot.' }),
    contentHash: ContentHash,
    computed: hex32('The hash that the salt and the document have.'),
  },
  { description: 'What the chain records, and what was found.' },
)

export const givenSalt = Type.String({
  pattern: '^0x[0-9a-fA-F]{64}$',
  description: 'The salt that came with the memory when it was opened.',
  examples: [sample.hash],
})

/** The path of a file in the folder of memories. */
export const path = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'A file in the folder of memories, as a path relative to it.',
  examples: ['trader.json'],
})

export const TokensPage = pageRecord(
  TokenRecord,
  'Tokens, without what their cards tell at length.',
)

export const WalletState = Type.Object(
  {
    ...WalletRecord.properties,
    session: orNull(
      Type.String({
        description: 'The wallet that opens memories and receives here; null for none.',
        examples: [sample.address],
      }),
    ),
  },
  {
    description:
      'The agent wallet as it is now, what it may spend, and the wallet of this session.',
  },
)
