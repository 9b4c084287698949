import type { EventKind } from '@heirloom/core'
import { zeroAddress } from 'viem'
import type { Log } from '../indexer/logs.ts'
import type { StoredEvent, StoredFields } from './stored-event.ts'

/** The arguments of a log by their names, each 64 hexadecimal digits. */
export type LogWords = Log['words']

const wordOf = (words: LogWords, name: string): string => words[name] ?? '0'.repeat(64)

/** Reads a number argument. */
export const numberIn = (words: LogWords, name: string): number =>
  Number(`0x${wordOf(words, name)}`)

/** Reads an amount argument. */
export const amountIn = (words: LogWords, name: string): bigint =>
  BigInt(`0x${wordOf(words, name)}`)

/** Reads a hash argument. */
export const hashIn = (words: LogWords, name: string): string => `0x${wordOf(words, name)}`

/** Reads an account argument, in lower case. */
export const accountIn = (words: LogWords, name: string): string =>
  `0x${wordOf(words, name).slice(24)}`

/** An event that a log reports, and its token; 0 for an event of an account. */
export type DecodedEvent = { readonly tokenId: number; readonly event: StoredEvent }

/** Decodes the event that a log reports; `undefined` when it is no event of a token. */
export function decodeLog(name: string, words: LogWords): DecodedEvent | undefined {
  const kind = kindOfLog.get(name)
  if (kind === undefined) return undefined
  const { token = 'tokenId', fields } = decoders[kind]
  return { tokenId: numberIn(words, token), event: { kind, ...fields(words) } as StoredEvent }
}

type Decoder<Kind extends EventKind> = {
  /** The name of the contract event. */
  readonly log: string
  /** The argument that holds the token; `tokenId` when absent. */
  readonly token?: string
  readonly fields: (words: LogWords) => StoredFields<Kind>
}

/** The decoder of each kind of event. */
const decoders: { readonly [kind in EventKind]: Decoder<kind> } = {
  transfer: {
    log: 'Transfer',
    fields: (words) => ({
      from: unlessZeroAddress(accountIn(words, 'from')),
      to: accountIn(words, 'to'),
    }),
  },
  mint: {
    log: 'Minted',
    fields: (words) => ({
      creator: accountIn(words, 'creator'),
      parent: parentIn(words),
      royaltyBps: licensedShareIn(words),
      contentHash: hashIn(words, 'contentHash'),
    }),
  },
  card: { log: 'Described', fields: (words) => ({ digest: hashIn(words, 'card') }) },
  listing: { log: 'Listed', fields: (words) => termsIn(words) },
  sale: {
    log: 'Sold',
    fields: (words) => ({
      seller: accountIn(words, 'seller'),
      buyer: accountIn(words, 'buyer'),
      recipient: accountIn(words, 'recipient'),
      price: decimalIn(words, 'price'),
    }),
  },
  rental: {
    log: 'Rented',
    fields: (words) => ({
      owner: accountIn(words, 'owner'),
      renter: accountIn(words, 'renter'),
      payer: accountIn(words, 'payer'),
      expiresAt: numberIn(words, 'expiresAt'),
      paid: decimalIn(words, 'paid'),
    }),
  },
  fork: {
    log: 'Forked',
    token: 'parent',
    fields: (words) => ({
      child: numberIn(words, 'tokenId'),
      forker: accountIn(words, 'forker'),
      recipient: accountIn(words, 'recipient'),
      royaltyBps: numberIn(words, 'royaltyBps'),
      price: decimalIn(words, 'price'),
    }),
  },
  royalty: {
    log: 'RoyaltyPaid',
    fields: (words) => ({
      to: accountIn(words, 'to'),
      from: accountIn(words, 'from'),
      amount: decimalIn(words, 'amount'),
    }),
  },
  'dollar-listing': {
    log: 'ListedInDollars',
    fields: (words) => ({ ...termsIn(words), asset: accountIn(words, 'asset') }),
  },
  'dollar-sale': {
    log: 'SoldForDollars',
    fields: (words) => ({
      seller: accountIn(words, 'seller'),
      recipient: accountIn(words, 'recipient'),
      price: decimalIn(words, 'price'),
      ...orderIn(words),
    }),
  },
  'dollar-rental': {
    log: 'RentedForDollars',
    fields: (words) => ({
      owner: accountIn(words, 'owner'),
      renter: accountIn(words, 'renter'),
      expiresAt: numberIn(words, 'expiresAt'),
      paid: decimalIn(words, 'paid'),
      ...orderIn(words),
    }),
  },
  'dollar-fork': {
    log: 'ForkedForDollars',
    token: 'parent',
    fields: (words) => ({
      child: numberIn(words, 'tokenId'),
      recipient: accountIn(words, 'recipient'),
      royaltyBps: numberIn(words, 'royaltyBps'),
      price: decimalIn(words, 'price'),
      ...orderIn(words),
    }),
  },
  'dollar-royalty': {
    log: 'RoyaltyPaidInDollars',
    fields: (words) => ({
      to: accountIn(words, 'to'),
      from: accountIn(words, 'from'),
      amount: decimalIn(words, 'amount'),
      asset: accountIn(words, 'asset'),
      orderHash: hashIn(words, 'orderHash'),
    }),
  },
  'heir-named': {
    log: 'HeirNamed',
    fields: (words) => ({
      account: accountIn(words, 'account'),
      heir: unlessZeroAddress(accountIn(words, 'heir')),
      silenceDays: numberIn(words, 'silenceDays'),
      noticeDays: numberIn(words, 'noticeDays'),
    }),
  },
  heartbeat: { log: 'Heartbeat', fields: (words) => ({ account: accountIn(words, 'account') }) },
  'takeover-announced': {
    log: 'TakeoverAnnounced',
    fields: (words) => ({
      ...heirIn(words),
      takeoverAt: numberIn(words, 'takeoverAt'),
    }),
  },
  takeover: { log: 'TakenOver', fields: (words) => heirIn(words) },
}

const termsIn = (words: LogWords) => ({
  seller: accountIn(words, 'seller'),
  price: decimalIn(words, 'price'),
  rentalPricePerDay: decimalIn(words, 'rentPerDay'),
  forkPrice: decimalIn(words, 'forkPrice'),
  forkRoyaltyBps: numberIn(words, 'royaltyBps'),
})

const orderIn = (words: LogWords) => ({
  payer: accountIn(words, 'payer'),
  asset: accountIn(words, 'asset'),
  orderHash: hashIn(words, 'orderHash'),
})

const heirIn = (words: LogWords) => ({
  account: accountIn(words, 'account'),
  heir: accountIn(words, 'heir'),
})

const kindOfLog: ReadonlyMap<string, EventKind> = new Map(
  Object.entries(decoders).map(([kind, { log }]) => [log, kind as EventKind]),
)

const decimalIn = (words: LogWords, name: string): string => String(amountIn(words, name))

const unlessZeroAddress = (address: string) => (address === zeroAddress ? undefined : address)

/** Reads the parent of a minted token; `undefined` for a root. */
export const parentIn = (words: LogWords): number | undefined =>
  numberIn(words, 'parent') || undefined

/**
 * Reads the share of a licensed fork, in basis points. The licence field is the share plus 1; 0 means
 * no licence.
 */
export function licensedShareIn(words: LogWords): number | undefined {
  const licence = numberIn(words, 'licence')
  return licence === 0 ? undefined : licence - 1
}
