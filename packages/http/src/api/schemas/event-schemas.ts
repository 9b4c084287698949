import { type EncodedFields, type EventKind, eventKinds } from '@heirloom/core'
import { type TSchema, Type } from '@sinclair/typebox'
import { decimalParameter, querySchema, wordsParameter } from './catalogue-queries.ts'
import { terms } from './market-schemas.ts'
import {
  address,
  ContentHash,
  decimal,
  hex32,
  inDollars,
  integer,
  orNull,
  TxHash,
  text,
  wei,
} from './schema-parts.ts'

/** The type of each type of event field in JSON. */
export type EventFieldJson = {
  readonly account: `0x${string}`
  readonly 'account?': `0x${string}` | null
  readonly tokenId: string
  /** "0" for none. */
  readonly 'tokenId?': string
  readonly amount: string
  /** Millionths of a dollar. */
  readonly dollars: string
  readonly bps: number
  readonly 'bps?': number | null
  readonly hash: `0x${string}`
  readonly digest: `0x${string}`
  readonly days: number
  /** Seconds since the Unix epoch. */
  readonly instant: string
}

const position = {
  id: text('Id of the event; pass it as `after` to resume after it.', '12-3-9f86d081'),
  tokenId: decimal('Id of the token; "0" for an event of an account.', '1'),
  block: decimal('Number of the block.', '12'),
  timestamp: decimal('Block time, in seconds since the Unix epoch.', '1767225600'),
  txHash: TxHash,
  logIndex: integer('Index of the log in the block.', 3),
}

const bps = (description: string) => integer(description, 500)

const asset = address('Address of the ERC-20 token that was paid with: the dollar.')
const payer = address('Address that paid the order; the deposit address of a prepaid order.')
const orderHash = hex32('Hash of the order: 0x and 64 hex digits.')

const account = address('Address of the account that named the heir.')
const heir = address('Address of its heir.')
const days = (description: string) => integer(`${description} 0 for none.`, 180)

/** The schemas of the fields of a kind of event. */
type FieldSchemas<Kind extends EventKind> = {
  readonly [name in keyof EncodedFields<EventFieldJson, Kind>]: TSchema & {
    readonly static: EncodedFields<EventFieldJson, Kind>[name]
  }
}

const event = <Kind extends EventKind, Members extends FieldSchemas<Kind>>(
  kind: Kind,
  description: string,
  members: Members,
) => Type.Object({ ...position, kind: Type.Literal(kind), ...members }, { description })

/** An event of a token or of an account. */
export const EventRecord = Type.Union(
  [
    event('mint', 'The token was minted.', {
      creator: address('Creator: the address that paid for the mint.'),
      parent: decimal('Parent: the token it was derived from; "0" for none.', '0'),
      royaltyBps: orNull(
        bps(
          'Royalty that a licensed fork owes the creator of its parent, in basis points; null for other tokens.',
        ),
      ),
      contentHash: ContentHash,
    }),
    event('card', 'A card was published for the token.', {
      digest: hex32('sha2-256 digest of the block that holds the card: 0x and 64 hex digits.'),
    }),
    event('transfer', 'The token was transferred.', {
      from: orNull(address('Previous owner; null for a new token.')),
      to: address('New owner.'),
    }),
    event('listing', 'The terms were set; all prices "0" unlist the token.', {
      seller: address('Address of the owner.'),
      ...terms,
    }),
    event('sale', 'The token was sold.', {
      seller: address('Address of the seller.'),
      buyer: address('Address of the buyer, who paid.'),
      recipient: address('Address that received the token.'),
      price: wei('Price paid'),
    }),
    event('rental', 'The token was rented, or a rental was extended.', {
      owner: address('Address of the owner.'),
      renter: address('Address of the renter.'),
      payer: address('Address that paid.'),
      expiresAt: decimal('End of the rental, in seconds since the Unix epoch.', '1767830400'),
      paid: wei('Price paid'),
    }),
    event('fork', 'The token was forked; the child has a mint event of its own.', {
      child: decimal('Id of the child.', '2'),
      forker: address('Address that paid.'),
      recipient: address('Address that received the child.'),
      royaltyBps: bps('Royalty of the creator on every price of the child, in basis points.'),
      price: wei('Price paid'),
    }),
    event('royalty', 'The creator received a royalty.', {
      to: address('Address of the creator.'),
      from: address('Address that paid.'),
      amount: wei('Amount paid'),
    }),
    event('dollar-listing', 'The terms were set in dollars; all prices "0" unlist the token.', {
      seller: address('Address of the owner.'),
      asset,
      price: inDollars('Sale price', '"0" when not for sale'),
      rentalPricePerDay: inDollars('Rental price per day', '"0" when not for rent'),
      forkPrice: inDollars('Price of a fork', '"0" when not for fork'),
      forkRoyaltyBps: terms.forkRoyaltyBps,
    }),
    event('dollar-sale', 'The token was sold for dollars.', {
      seller: address('Address of the seller.'),
      recipient: address('Address that received the token.'),
      payer,
      price: inDollars('Price paid'),
      asset,
      orderHash,
    }),
    event('dollar-rental', 'The token was rented for dollars, or a rental was extended.', {
      owner: address('Address of the owner.'),
      renter: address('Address of the renter.'),
      payer,
      expiresAt: decimal('End of the rental, in seconds since the Unix epoch.', '1767830400'),
      paid: inDollars('Price paid'),
      asset,
      orderHash,
    }),
    event('dollar-fork', 'The token was forked for dollars; the child has its own mint event.', {
      child: decimal('Id of the child.', '2'),
      recipient: address('Address that received the child, and is its creator.'),
      payer,
      royaltyBps: bps('Royalty of the creator on every price of the child, in basis points.'),
      price: inDollars('Price paid'),
      asset,
      orderHash,
    }),
    event('dollar-royalty', 'The creator received a royalty in dollars.', {
      to: address('Address of the creator.'),
      from: payer,
      amount: inDollars('Amount paid'),
      asset,
      orderHash,
    }),
    event('heir-named', 'An account named its heir, or none; the token id is "0".', {
      account,
      heir: orNull(address('Address of the heir; null for none.')),
      silenceDays: days('Days without a sign of life after which the heir may announce.'),
      noticeDays: days('Days from the announcement to the takeover.'),
    }),
    event('heartbeat', 'An account gave a sign of life and nothing else; the token id is "0".', {
      account,
    }),
    event('takeover-announced', 'An heir announced a takeover; the token id is "0".', {
      account,
      heir,
      takeoverAt: decimal(
        'Time from which the heir may take over, in seconds since the Unix epoch.',
        '1767830400',
      ),
    }),
    event('takeover', 'An heir took over tokens, after their transfers; the token id is "0".', {
      account,
      heir,
    }),
  ],
  { description: 'An event of a token or of an account.' },
)

const idPattern = '(0|[1-9][0-9]{0,15})-[0-9]{1,9}-[0-9a-f]{8}'
/** An example of an event id. */
export const eventExample = '12-3-9f86d081'

/** The query of an event stream. */
export const EventsParameters = querySchema({
  after: Type.Optional(
    Type.String({
      pattern: `^(start|${idPattern})$`,
      description:
        'Id of the event to resume after, or `start` for the first event; when absent, the stream begins with the next event.',
      examples: [eventExample],
    }),
  ),
  tokenId: decimalParameter('Only events of this token.', '1'),
  kind: wordsParameter(eventKinds, 'Only events of these kinds.'),
})

/** The headers that resume an event stream. */
export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: `^${idPattern}$`,
      description:
        'Id of the event to resume after, which browsers send by themselves; it overrides `after`.',
      examples: [eventExample],
    }),
  ),
})
