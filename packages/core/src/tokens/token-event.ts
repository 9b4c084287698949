import type { Account, Digest, Dollars, Hash, Instant, TokenId, Wei } from '../values/branded.ts'

/**
 * The fields of each kind of event, each with its type; the only place that lists them. A field whose
 * type ends with `?` may be absent. A `fork` is an event of the parent; the child has its own `mint`.
 * Acts in dollars have kinds of their own, so that no reader takes their amounts for wei. What an account
 * arranges for its heir is an event of no token: its token id is 0.
 */
export const eventFields = {
  mint: { creator: 'account', parent: 'tokenId?', royaltyBps: 'bps?', contentHash: 'hash' },
  card: { digest: 'digest' },
  transfer: { from: 'account?', to: 'account' },
  listing: {
    seller: 'account',
    price: 'amount',
    rentalPricePerDay: 'amount',
    forkPrice: 'amount',
    forkRoyaltyBps: 'bps',
  },
  sale: { seller: 'account', buyer: 'account', recipient: 'account', price: 'amount' },
  rental: {
    owner: 'account',
    renter: 'account',
    payer: 'account',
    expiresAt: 'instant',
    paid: 'amount',
  },
  fork: {
    child: 'tokenId',
    forker: 'account',
    recipient: 'account',
    royaltyBps: 'bps',
    price: 'amount',
  },
  royalty: { to: 'account', from: 'account', amount: 'amount' },
  'dollar-listing': {
    seller: 'account',
    asset: 'account',
    price: 'dollars',
    rentalPricePerDay: 'dollars',
    forkPrice: 'dollars',
    forkRoyaltyBps: 'bps',
  },
  'dollar-sale': {
    seller: 'account',
    recipient: 'account',
    payer: 'account',
    price: 'dollars',
    asset: 'account',
    orderHash: 'hash',
  },
  'dollar-rental': {
    owner: 'account',
    renter: 'account',
    payer: 'account',
    expiresAt: 'instant',
    paid: 'dollars',
    asset: 'account',
    orderHash: 'hash',
  },
  'dollar-fork': {
    child: 'tokenId',
    recipient: 'account',
    payer: 'account',
    royaltyBps: 'bps',
    price: 'dollars',
    asset: 'account',
    orderHash: 'hash',
  },
  'dollar-royalty': {
    to: 'account',
    from: 'account',
    amount: 'dollars',
    asset: 'account',
    orderHash: 'hash',
  },
  'heir-named': { account: 'account', heir: 'account?', silenceDays: 'days', noticeDays: 'days' },
  heartbeat: { account: 'account' },
  'takeover-announced': { account: 'account', heir: 'account', takeoverAt: 'instant' },
  takeover: { account: 'account', heir: 'account' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, EventFieldType>>>>

/** Returns the accounts that an event names; the contract of a dollar is none. */
export function accountsIn(event: TokenEvent): readonly Account[] {
  const values: Readonly<Record<string, unknown>> = event
  return Object.entries(eventFields[event.kind]).flatMap(([name, type]) => {
    const isAccount = (type === 'account' || type === 'account?') && name !== 'asset'
    const value = values[name]
    return isAccount && value !== undefined ? [value as Account] : []
  })
}

/** The values of each type of event field. */
export type EventFieldValues = {
  readonly account: Account
  readonly 'account?': Account | undefined
  readonly tokenId: TokenId
  readonly 'tokenId?': TokenId | undefined
  readonly amount: Wei
  readonly dollars: Dollars
  /** Basis points. */
  readonly bps: number
  readonly 'bps?': number | undefined
  readonly hash: Hash
  readonly digest: Digest
  readonly days: number
  readonly instant: Instant
}

/** A type of event field. */
export type EventFieldType = keyof EventFieldValues

/** A kind of event. */
export type EventKind = keyof typeof eventFields

/** The kinds of events. */
export const eventKinds = Object.keys(eventFields) as readonly EventKind[]

/** The values of each type of field in some encoding of events. */
export type EventEncoding = { readonly [type in EventFieldType]: unknown }

/** The fields of events of a kind, in some encoding. */
export type EncodedFields<Encoding extends EventEncoding, Kind extends EventKind> = {
  readonly [name in keyof (typeof eventFields)[Kind]]: Encoding[(typeof eventFields)[Kind][name] &
    EventFieldType]
}

/** An event of a token in some encoding, by its kind. */
export type EncodedEvent<Encoding extends EventEncoding, Kind extends EventKind = EventKind> = {
  [kind in Kind]: { readonly kind: kind } & EncodedFields<Encoding, kind>
}[Kind]

/** An event of a token or of an account, by its kind. */
export type TokenEvent<Kind extends EventKind = EventKind> = EncodedEvent<EventFieldValues, Kind>

/** Converts events from one encoding to another: a function for each type of field. */
export type EventCodec<From extends EventEncoding, To extends EventEncoding> = {
  readonly [type in EventFieldType]: (value: From[type]) => To[type]
}

/** Converts an event to another encoding. Members that are no fields of its kind are left out. */
export function convertEvent<From extends EventEncoding, To extends EventEncoding>(
  event: EncodedEvent<From>,
  codec: EventCodec<From, To>,
): EncodedEvent<To> {
  const values: Readonly<Record<string, unknown>> = event
  const converted: Record<string, unknown> = { kind: event.kind }
  for (const [name, type] of Object.entries(eventFields[event.kind])) {
    const convert: (value: never) => unknown = codec[type as EventFieldType]
    converted[name] = convert(values[name] as never)
  }
  // The table gives every field of the kind its type, and the codec a function for each type.
  return converted as EncodedEvent<To>
}
