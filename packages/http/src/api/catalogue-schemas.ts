import type { Originality } from '@heirloom/core'
import { type TSchema, Type } from '@sinclair/typebox'
import {
  address,
  ContentHash,
  decimal,
  hex32,
  ListingRecord,
  StorageUri,
  TokenId,
  wei,
} from './schemas.ts'

/** What may be missing. */
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] })

/** What the maker of a memory shows of it. */
const CardRecord = Type.Object(
  {
    title: text('One line.', 'A year of trades'),
    description: Type.Optional(text('Several lines.', 'What was bought, when and why.')),
    tags: Type.Optional(Type.Array(text('A word or two.', 'equities'))),
    category: Type.Optional(text('A word.', 'trading')),
    preview: Type.Optional(text('A sample of the memory.', '{"bought":"VTI"}')),
  },
  { description: 'What its maker shows of it to everybody; null for nothing.' },
)

/** The terms of a token that is listed. */
export const ListedTerms = Type.Object(
  {
    ...ListingRecord.properties,
    listedAt: decimal('When the terms were set, in seconds since the Unix epoch.', '1767225600'),
  },
  { description: 'The live terms; null where it is not listed.' },
)

const LinkName = Type.Unsafe<'fork' | 'declared'>({
  type: 'string',
  enum: ['fork', 'declared'],
  description: 'How it is tied to its parent: a fork that was paid for, or a statement.',
  examples: ['fork'],
})

const OriginalityName = Type.Unsafe<Originality>({
  type: 'string',
  enum: ['original', 'repeated', 'copied', 'unverified'],
  description: [
    'Whether it shows a memory of its own. `original`: sealed for its creator.',
    '`repeated`: its creator had minted the same memory before.',
    '`copied`: sealed for another creator, registry or content; it opens for nobody.',
    '`unverified`: not sealed by this server, or its sealed memory is not here.',
  ].join(' '),
  examples: ['original'],
})

/** A token as the catalogue shows it. */
export const TokenRecord = Type.Object(
  {
    tokenId: TokenId,
    contentHash: ContentHash,
    storageUri: StorageUri,
    creator: address('The wallet that paid for the mint.'),
    owner: address('Who may read, list and transfer it.'),
    parent: decimal('The token it grew from; "0" for a root.', '0'),
    link: orNull(LinkName),
    royaltyBps: orNull(
      Type.Integer({
        description: "The share that a licensed fork added for its parent's creator.",
        examples: [500],
      }),
    ),
    timestamp: decimal('When it was minted, in seconds since the Unix epoch.', '1767225600'),
    block: decimal('The block that it was minted in.', '12'),
    txHash: hex32('The transaction that minted it.'),
    originality: OriginalityName,
    card: orNull(CardRecord),
    listing: orNull(ListedTerms),
  },
  { description: 'A token.' },
)

/** A page of something. */
export const pageRecord = <Item extends TSchema>(item: Item, description: string) =>
  Type.Object(
    {
      items: Type.Array(item),
      next: orNull(text('Give it back as `after` to read on; null at the end.', cursorExample)),
    },
    { description },
  )

const cursorExample = 'Mi0w'

const RelativeRecord = Type.Object({ token: TokenRecord, link: orNull(LinkName) })

/** Where a token comes from and what came of it. */
export const LineageRecord = Type.Object(
  {
    ...RelativeRecord.properties,
    ancestors: Type.Array(RelativeRecord, { description: 'Nearest first, at most 64.' }),
    descendants: Type.Array(RelativeRecord, { description: 'In the order of ids, at most 500.' }),
    isCut: Type.Boolean({ description: 'Whether there are more than are told.' }),
    split: Type.Object(
      {
        price: wei('What is split'),
        royalties: Type.Array(
          Type.Object({
            to: address('The creator who receives.'),
            amount: wei('What the creator receives'),
            tokenId: decimal("The ancestor that is the creator's.", '1'),
          }),
          { description: 'A claim each, the oldest first.' },
        ),
        rest: wei('What is left for the seller'),
      },
      { description: 'Who would receive how much of a price; it adds up exactly.' },
    ),
  },
  { description: 'The kin of a token, and what they would be paid.' },
)

/** The rentals of a token that run now. */
export const RentalsRecord = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        tokenId: TokenId,
        renter: address('Who may read it.'),
        expiresAt: decimal('When that ends, in seconds since the Unix epoch.', '1767830400'),
      }),
    ),
  },
  { description: 'The last to end first.' },
)

/** Whether the sealed bytes of a token are here and whole. */
export const IntegrityRecord = Type.Object(
  {
    tokenId: TokenId,
    present: Type.Boolean({ description: 'Whether the sealed bytes are here.' }),
    bytes: orNull(
      Type.Integer({ description: 'How many; null where they cannot be read.', examples: [4096] }),
    ),
    matches: Type.Boolean({ description: 'Whether they hash to the digest on the chain.' }),
  },
  { description: 'What was found; they were not opened.' },
)

/** What an account has earned. */
export const EarningsRecord = Type.Object(
  {
    sales: wei('What sales left to it as the owner'),
    rentals: wei('What rentals left to it as the owner'),
    forks: wei('What forks left to it as the owner'),
    royalties: wei('What it received as a creator'),
    credit: wei('What could not be paid out and waits to be withdrawn'),
  },
  { description: 'What it earned through the marketplace.' },
)

export const AccountParams = Type.Object({ address: address('A wallet.') })
