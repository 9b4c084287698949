import type { Originality } from '@heirloom/core'
import { type TSchema, Type } from '@sinclair/typebox'
import { SampleRecord } from './excerpts-schemas.ts'
import { ListingRecord } from './market-schemas.ts'
import {
  Asset,
  address,
  ContentHash,
  choice,
  decimal,
  ErasedAt,
  hex32,
  inDollars,
  integer,
  orNull,
  StorageUri,
  TokenId,
  text,
  wei,
} from './schema-parts.ts'

/** A card in responses. */
const CardRecord = Type.Object(
  {
    title: text('Title, one line.', 'A year of trades'),
    description: Type.Optional(
      text('Description, several lines.', 'What was bought, when and why.'),
    ),
    tags: Type.Optional(
      Type.Array(text('A tag, one or two words.', 'equities'), {
        description: 'Tags.',
        examples: [['equities']],
      }),
    ),
    category: Type.Optional(text('Category, one word.', 'trading')),
    preview: Type.Optional(text('Sample of the memory.', '{"bought":"VTI"}')),
  },
  { description: 'The public description by its creator; null for none.' },
)

/** The current terms of a listed token. */
export const ListedTerms = Type.Object(
  {
    ...ListingRecord.properties,
    listedAt: decimal(
      'Time when the terms were set, in seconds since the Unix epoch.',
      '1767225600',
    ),
  },
  { description: 'The current terms; null when not listed.' },
)

const LinkName = choice<'fork' | 'declared'>(
  ['fork', 'declared'],
  'Link to the parent: fork for a licensed fork, declared for an unverified statement.',
  'fork',
)

const OriginalityName = choice<Originality>(
  ['original', 'repeated', 'copied', 'unverified'],
  [
    'Whether the token holds a memory of its own. `original`: sealed for its creator.',
    '`repeated`: its creator had minted the same memory before.',
    '`copied`: sealed for another creator, registry or content; nobody can open it.',
    '`unverified`: not sealed by this server, or its sealed bytes are missing here.',
  ].join(' '),
  'original',
)

/** A token with its owner, card and terms. */
export const TokenRecord = Type.Object(
  {
    tokenId: TokenId,
    asset: Asset,
    contentHash: ContentHash,
    storageUri: StorageUri,
    creator: address('Creator: the address that paid for the mint.'),
    owner: address('Owner: the address that may open, list and transfer it.'),
    parent: decimal('Parent: the token it was derived from; "0" for none.', '0'),
    link: orNull(LinkName),
    royaltyBps: orNull(
      integer(
        'Royalty that a licensed fork owes the creator of its parent, in basis points; null for other tokens.',
        500,
      ),
    ),
    timestamp: decimal('Time of the mint, in seconds since the Unix epoch.', '1767225600'),
    block: decimal('Number of the block of the mint.', '12'),
    txHash: hex32('Hash of the transaction of the mint: 0x and 64 hex digits.'),
    originality: OriginalityName,
    card: orNull(CardRecord),
    erasedAt: orNull(ErasedAt),
    sample: orNull(SampleRecord),
    listing: orNull(ListedTerms),
    source: Type.Optional(
      Type.Object(
        {
          tokenId: decimal('Token that the memory was minted with.', '1'),
          creator: address('Creator of that token.'),
        },
        { description: 'The original of a licensed fork; absent for other tokens.' },
      ),
    ),
    renters: Type.Optional(
      integer('How many accounts have rented it; only with `sort=rentals`.', 12),
    ),
    family: Type.Optional(
      Type.Object(
        {
          tokenId: decimal('Version whose memory is shown.', '1'),
          listings: integer('Number of matching listings of the family.', 3),
          versions: integer('Number of versions among them.', 2),
        },
        {
          description:
            'The memory, its versions and their licensed forks; only with `group=family`.',
        },
      ),
    ),
  },
  { description: 'A token with its owner, card and terms.' },
)

/** Returns the schema of a page of items. */
export const pageRecord = <Item extends TSchema>(item: Item, description: string) =>
  Type.Object(
    {
      items: Type.Array(item),
      next: orNull(
        text('Cursor: pass it as `after` to read the next page; null at the end.', cursorExample),
      ),
    },
    { description },
  )

const cursorExample = 'Mi0w'

const counted = <Value extends TSchema>(value: Value, description: string) =>
  Type.Array(Type.Object({ value, count: integer('Number of listings with it.', 3) }), {
    description: `${description}, the most frequent first, at most 20.`,
  })

/** The numbers of the listings that match a query. */
export const FacetsRecord = Type.Object(
  {
    total: integer('Number of matching listings.', 12),
    isCut: Type.Boolean({
      description:
        'Whether more listings match; then only the 20,000 with the greatest token ids are counted.',
    }),
    families: integer('Number of families: a memory and its licensed forks are one.', 9),
    offers: Type.Object(
      {
        sale: integer('Listings for sale.', 8),
        rent: integer('Listings for rent.', 5),
        fork: integer('Listings that can be forked.', 4),
      },
      { description: 'The listings by what they offer.' },
    ),
    currencies: Type.Object(
      { native: integer('Listings in wei.', 10), dollar: integer('Listings in dollars.', 2) },
      { description: 'The listings by the currency of their prices.' },
    ),
    categories: counted(text('Category.', 'trading'), 'Categories'),
    tags: counted(text('Tag.', 'equities'), 'Tags'),
    makers: counted(address('Address of the account that made the memory.'), 'Makers'),
    formats: counted(text('Format.', 'chatgpt'), 'Formats that memories were imported from'),
    leftOut: Type.Array(text('Word.', 'zebra'), {
      description:
        'With `match=any` the words of the search that no card has, nor a similar one; otherwise empty.',
    }),
    correction: orNull(
      text(
        'The search with its unknown words replaced by the most similar words of cards, where nothing matches; otherwise null.',
        'trading',
      ),
    ),
    market: Type.Object(
      {
        rentals: integer('Rentals that began in the last seven days.', 4),
        paid: Type.Object(
          {
            native: decimal('In wei.', '12000'),
            dollar: decimal('In millionths of a dollar.', '0'),
          },
          { description: 'What was paid to makers and owners, ever.' },
        ),
      },
      { description: 'The figures of the whole market, whatever the query.' },
    ),
  },
  {
    description:
      'The numbers of the matching listings: in all, and with each value that can be added to the query.',
  },
)

/** An ancestor or descendant of a token. */
export const RelativeRecord = Type.Object({ token: TokenRecord, link: orNull(LinkName) })

/** The ancestors and descendants of a token, and the royalty split of a price. */
export const LineageRecord = Type.Object(
  {
    ...RelativeRecord.properties,
    ancestors: Type.Array(RelativeRecord, { description: 'Ancestors, nearest first, at most 64.' }),
    descendants: Type.Array(RelativeRecord, {
      description: 'Descendants in the order of their ids, at most 500.',
    }),
    isCut: Type.Boolean({
      description: 'Whether ancestors or descendants are missing because of these limits.',
    }),
    split: Type.Object(
      {
        currency: Type.Union([Type.Literal('native'), Type.Literal('dollar')], {
          description:
            'Currency of the listing: the amounts are in wei, or in millionths of a dollar.',
        }),
        price: decimal('Price to split.', '10000'),
        royalties: Type.Array(
          Type.Object({
            to: address('Address of the creator who receives it.'),
            amount: decimal('Amount of the royalty.', '500'),
            tokenId: decimal('Id of the ancestor that earns it.', '1'),
          }),
          { description: 'Royalties, oldest ancestor first.' },
        ),
        rest: decimal('Rest for the seller.', '9500'),
      },
      { description: 'The division of a price; the amounts add up to the price.' },
    ),
  },
  { description: 'The ancestors and descendants of a token, and the royalty split of a price.' },
)

/** The active rentals of a token. */
export const RentalsRecord = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        tokenId: TokenId,
        renter: address('Address of the renter.'),
        expiresAt: decimal('End of the rental, in seconds since the Unix epoch.', '1767830400'),
      }),
    ),
  },
  { description: 'The active rentals, latest end first.' },
)

/** A payment that an account received. */
export const EarningRecord = Type.Object(
  {
    kind: choice<'sales' | 'rentals' | 'forks' | 'royalties'>(
      ['sales', 'rentals', 'forks', 'royalties'],
      'What was paid for.',
      'sales',
    ),
    currency: choice<'native' | 'dollar'>(
      ['native', 'dollar'],
      'Currency of the amount: wei, or millionths of a dollar.',
      'native',
    ),
    amount: decimal('Amount after royalties.', '9500'),
    event: text('Id of the event that paid.', '12-3-9f86d081'),
    tokenId: TokenId,
    txHash: hex32('Hash of the transaction: 0x and 64 hex digits.'),
    timestamp: decimal('Time of the block, in seconds since the Unix epoch.', '1767225600'),
  },
  { description: 'A payment that an account received through the marketplace.' },
)

/** The result of a check of the sealed bytes of a token. */
export const IntegrityRecord = Type.Object(
  {
    tokenId: TokenId,
    present: Type.Boolean({ description: 'Whether the server has the sealed bytes.' }),
    bytes: orNull(
      integer('Length of the sealed bytes, in bytes; null when they cannot be read.', 4096),
    ),
    matches: Type.Boolean({
      description: 'Whether the sealed bytes match the digest on the chain.',
    }),
  },
  { description: 'The result of the check; the bytes were not decrypted.' },
)

/** The earnings of an account. */
export const EarningsRecord = Type.Object(
  {
    sales: wei('Earned from sales', 'royalties to others are deducted'),
    rentals: wei('Earned from rentals', 'royalties to others are deducted'),
    forks: wei('Earned from forks', 'royalties to others are deducted'),
    royalties: wei('Royalties received as a creator'),
    credit: wei('Credit', 'payments that failed and can be withdrawn'),
    dollars: Type.Object(
      {
        sales: inDollars('Earned from sales', 'royalties to others are deducted'),
        rentals: inDollars('Earned from rentals', 'royalties to others are deducted'),
        forks: inDollars('Earned from forks', 'royalties to others are deducted'),
        royalties: inDollars('Royalties received as a creator'),
        credit: inDollars('Credit', 'payments that failed and can be withdrawn'),
      },
      { description: 'The same in dollars, apart from what was earned in wei.' },
    ),
  },
  { description: 'Earnings on the marketplace.' },
)

export const AccountParams = Type.Object({ address: address('Address of the account.') })
