import type { TokenEvent } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { decimalIn, queryOf, wordsIn } from './catalogue-queries.ts'
import { address, ContentHash, decimal, hex32, TokenId, TxHash, terms, wei } from './schemas.ts'

/** What can happen, in a word each. */
export const kinds = [
  'mint',
  'card',
  'transfer',
  'listing',
  'sale',
  'rental',
  'fork',
  'royalty',
] as const satisfies readonly TokenEvent['kind'][]

const place = {
  id: Type.String({
    description: 'Names the event; give it back to go on after it.',
    examples: ['12-3-9f86d081'],
  }),
  tokenId: TokenId,
  block: decimal('The number of its block.', '12'),
  timestamp: decimal('The time of its block, in seconds since the Unix epoch.', '1767225600'),
  txHash: TxHash,
  logIndex: Type.Integer({ description: 'Its place in its block.', examples: [3] }),
}

const bps = (description: string) => Type.Integer({ description, examples: [500] })

const event = <Kind extends TokenEvent['kind'], Members extends object>(
  kind: Kind,
  description: string,
  members: Members,
) => Type.Object({ ...place, kind: Type.Literal(kind), ...members }, { description })

/** Something that happened to a token. */
export const EventRecord = Type.Union(
  [
    event('mint', 'The token was minted.', {
      creator: address('The wallet that paid for the mint.'),
      parent: decimal('The token it grew from; "0" for a root.', '0'),
      royaltyBps: Type.Union([
        bps("The share that a licensed fork adds for its parent's creator."),
        Type.Null(),
      ]),
      contentHash: ContentHash,
    }),
    event('card', 'Its maker showed something of it.', {
      digest: hex32('The sha2-256 digest of the block that holds the card.'),
    }),
    event('transfer', 'It changed hands.', {
      from: Type.Union([address('Who had it; null for a new one.'), Type.Null()]),
      to: address('Who has it.'),
    }),
    event('listing', 'Its terms were set; all of them "0" take it down.', {
      seller: address('The owner.'),
      ...terms,
    }),
    event('sale', 'It was sold.', {
      seller: address('Who sold it.'),
      buyer: address('Who paid.'),
      recipient: address('Who received it.'),
      price: wei('What was paid'),
    }),
    event('rental', 'It was rented, or a rental was prolonged.', {
      owner: address('Who owns it.'),
      renter: address('Who may read it.'),
      payer: address('Who paid.'),
      expiresAt: decimal('When the rental ends, in seconds since the Unix epoch.', '1767830400'),
      paid: wei('What was paid'),
    }),
    event('fork', 'It was forked; the child has a mint of its own.', {
      child: decimal('The child.', '2'),
      forker: address('Who paid.'),
      recipient: address('Who received the child.'),
      royaltyBps: bps('The share of every price of the child that its creator claims.'),
      price: wei('What was paid'),
    }),
    event('royalty', 'Its creator received a royalty.', {
      to: address('The creator.'),
      from: address('Who paid.'),
      amount: wei('What was paid'),
    }),
  ],
  { description: 'Something that happened to a token.' },
)

const idPattern = '(0|[1-9][0-9]{0,15})-[0-9]{1,9}-[0-9a-f]{8}'
/** What the id of an event looks like. */
export const eventExample = '12-3-9f86d081'

/** What is asked for of the events. */
export const EventsParameters = queryOf({
  after: Type.Optional(
    Type.String({
      pattern: `^(start|${idPattern})$`,
      description:
        'The event to go on after, or `start` to begin with the first; with neither, it begins with what comes next.',
      examples: [eventExample],
    }),
  ),
  tokenId: decimalIn('Tells of this token only.', '1'),
  kind: wordsIn(kinds, 'Tells of these kinds only.'),
})

/** Where a stream of events goes on. */
export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: `^${idPattern}$`,
      description: 'The event to go on after, which browsers send by themselves; it goes first.',
      examples: [eventExample],
    }),
  ),
})
