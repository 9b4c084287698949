import type { Hex } from '@heirloom/core'
import { Hint, Type } from '@sinclair/typebox'
import { saveMembers, VersionNumber } from './name-schemas.ts'
import {
  address,
  ContentHash,
  decimal,
  ErasedAt,
  flag,
  hex32,
  integer,
  orNull,
  Recipient,
  StorageUri,
  TokenId,
  TxHash,
  text,
} from './schema-parts.ts'

/** A card in requests. `card` of the core checks its texts. */
export const CardBody = Type.Object(
  {
    title: text('Title: one line of 1 to 120 characters.', 'A calm trader'),
    description: Type.Optional(
      text(
        'Description: at most 2000 characters and 100 line breaks.',
        'Two years of decisions.\nNo names, no keys.',
      ),
    ),
    tags: Type.Optional(
      Type.Array(text('Tag: one line of 1 to 32 characters.', 'btc'), {
        description: 'Tags: at most 12.',
        examples: [['btc', 'mean reversion']],
      }),
    ),
    category: Type.Optional(text('Category: one line of 1 to 32 characters.', 'trading')),
    preview: Type.Optional(
      text(
        'Sample of the memory: at most 4000 characters and 200 line breaks.',
        '2026-03-01: sold the rumour.',
      ),
    ),
    excerpts: Type.Optional(
      Type.Array(text('JSON pointer (RFC 6901).', '/data/positions'), {
        description:
          'Values of the memory to show as a proven sample, by their JSON pointers: at most 16, each of at most 4096 bytes and 8 levels deep, 8192 bytes together. They become public for ever, with a proof that they are in the memory.',
        examples: [['/data/positions']],
      }),
    ),
  },
  {
    description:
      'The public description of the memory; it cannot be changed or removed. No other members are allowed. Lengths are in UTF-16 units; the whole card has at most 16384 bytes as JSON in UTF-8. Control characters (except line breaks in description and preview), marks of writing direction and other invisible characters are refused.',
  },
)

/** The description of a memory in requests. */
export const Metadata = Type.Object(
  {
    category: Type.String({
      minLength: 1,
      description: 'Category, such as trading, research, support, gaming or social.',
      examples: ['trading'],
    }),
    agentId: Type.Optional(
      Type.Unsafe<unknown>({ description: 'Name of the agent.', examples: ['agent-7'] }),
    ),
    version: Type.Optional(
      Type.Unsafe<unknown>({ description: 'Version of the memory.', examples: ['1.0.0'] }),
    ),
  },
  { additionalProperties: true, description: 'Any further members are stored too.' },
)

export const SnapshotBody = Type.Object({
  data: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Any agent state.',
      examples: [{ positions: [] }],
    },
  ),
  metadata: Metadata,
  card: Type.Optional(CardBody),
  parentTokenId: Type.Optional(
    decimal('Parent: the token this memory was derived from; absent or "0" for none.', '0'),
  ),
  recipient: Recipient,
  ...saveMembers,
  salt: Type.Optional(
    hex32(
      'Salt of a memory that was sealed for other contracts: with the same salt and document, the content hash stays. Absent for a fresh one.',
    ),
  ),
})

const { recipient: _recipient, name: _name, ...versionMembers } = SnapshotBody.properties

/** The next version of a granted name, which goes to the owner of the name. */
export const GrantedVersionBody = Type.Object(versionMembers, { additionalProperties: false })

export const Minted = Type.Object(
  {
    tokenId: TokenId,
    contentHash: ContentHash,
    storageUri: StorageUri,
    txHash: TxHash,
    timestamp: integer(
      'The time when the server accepted the write, in milliseconds since the Unix epoch.',
      1767225600000,
    ),
    version: Type.Optional(VersionNumber),
    unchanged: Type.Optional(
      flag(
        'True where nothing was minted: the last version of the name has the same bytes, and is the answer.',
        true,
      ),
    ),
  },
  { description: 'The minted token and the location of its sealed bundle.' },
)

export const Sealed = Type.Object(
  {
    contentHash: ContentHash,
    salt: hex32(
      'Salt of the content hash, which is sha256(salt ‖ document): with it the wallet verifies what was sealed before it mints.',
    ),
    storageUri: StorageUri,
    card: orNull(hex32('Digest of the block of the card.'), {
      description: 'Digest of the block of the card; null without a card.',
    }),
    creator: address('Creator: the account that signed, and the only one that can mint it.'),
    chainId: integer('Chain id of EIP-155.', 31337),
    registry: address('Address of the MemoryRegistry that the memory is sealed for.'),
    recipient: address('Owner of the token to mint.'),
    parentTokenId: decimal('Parent of the token to mint; "0" for none.', '0'),
    expiresAt: integer(
      'The time by which a block must contain the mint, in milliseconds since the Unix epoch.',
      1767225600000,
    ),
    transaction: Type.Object(
      {
        chainId: integer('Chain id of EIP-155.', 31337),
        to: address('Address of the MemoryRegistry.'),
        data: Type.Unsafe<Hex>({
          ...text('Call data of the mint.', '0x'),
          [Hint]: 'Hex',
        }),
        value: decimal('Payment, in wei: none.', '0'),
      },
      { description: 'The transaction that the creator signs to mint the token.' },
    ),
  },
  { description: 'The stored memory, and the transaction that mints its token.' },
)

export const Erased = Type.Object(
  {
    tokenId: TokenId,
    erasedAt: ErasedAt,
    isRemoved: Type.Boolean({
      description:
        'Whether this server has removed all its bytes; if not, it goes on by itself, and answers with 410 all the same.',
    }),
  },
  { description: 'The erased memory.' },
)

export const ProvenanceRecord = Type.Object(
  {
    tokenId: TokenId,
    contentHash: ContentHash,
    storageUri: StorageUri,
    creator: address('Creator: the address that paid for the mint.'),
    parent: decimal('Parent: the token it was forked from; "0" for none.', '0'),
    timestamp: decimal('Block time, in seconds since the Unix epoch.', '1767225600'),
    erasedAt: Type.Optional(ErasedAt),
  },
  { description: 'The record of a token on the chain.' },
)

export const Document = Type.Object(
  {
    data: Type.Object({}, { additionalProperties: true }),
    metadata: Type.Object({}, { additionalProperties: true }),
  },
  { description: 'The document, byte for byte as it was snapshot.' },
)

/** Requests of one kind that were answered from a memory. */
export const OpeningRecord = Type.Object(
  {
    right: Type.Union([Type.Literal('owner'), Type.Literal('rental'), Type.Literal('grant')], {
      description: 'Right by which it was opened.',
    }),
    account: Type.Optional(address('Account that opened it; absent for renters.')),
    scope: Type.Optional(
      Type.Union([Type.Literal('whole'), Type.Literal('part'), Type.Literal('search')], {
        description: 'How much was opened; absent for renters.',
      }),
    ),
    grant: Type.Optional(hex32('Id of the grant; only with that right.')),
    label: Type.Optional(
      text('Name that the owner gave the grant; only with that right.', 'auditor'),
    ),
    at: decimal('Start of the time, in seconds since the Unix epoch.', '1767225600'),
    seconds: integer(
      'Length of the time in seconds: 1; 3,600 for a reader with very many openings on a day; 86,400, a day (UTC), for renters.',
      1,
    ),
    count: integer('Number of requests in this time.', 1),
    blockTime: Type.Optional(
      decimal(
        'Time of the block at which the right was read, in seconds; absent for renters.',
        '1767225600',
      ),
    ),
    digest: hex32('Digest of the sealed bundle that was opened.'),
  },
  { description: 'Requests of one kind that were answered from a memory.' },
)
