import {
  account,
  convertEvent,
  digest,
  dollars,
  type EncodedEvent,
  type EncodedFields,
  type EventCodec,
  type EventFieldValues,
  type EventKind,
  fromSeconds,
  hash,
  type TokenEvent,
  tokenId,
  wei,
} from '@heirloom/core'
import { getAddress } from 'viem'

/**
 * The encoding of events in the catalogue: accounts in lower case, amounts as decimals, times in
 * seconds.
 */
type Stored = {
  readonly account: string
  readonly 'account?': string | undefined
  readonly tokenId: number
  readonly 'tokenId?': number | undefined
  readonly amount: string
  readonly dollars: string
  readonly bps: number
  readonly 'bps?': number | undefined
  readonly hash: string
  readonly digest: string
  readonly days: number
  readonly instant: number
}

/** An event as the catalogue stores it. */
export type StoredEvent<Kind extends EventKind = EventKind> = EncodedEvent<Stored, Kind>

/** The fields of events of a kind as the catalogue stores them. */
export type StoredFields<Kind extends EventKind> = EncodedFields<Stored, Kind>

/** The columns of an event that depend on its kind. */
export type EventColumns = { readonly kind: string; readonly said: string }

/** Encodes the columns of an event. */
export function encodeColumns({ kind, ...fields }: StoredEvent): EventColumns {
  return { kind, said: JSON.stringify(fields) }
}

/** Decodes the columns of an event; the values remain as they are stored. */
export const decodeColumns = ({ kind, said }: EventColumns): StoredEvent =>
  ({ ...JSON.parse(said), kind }) as StoredEvent

/** Decodes an account, with the checksum of EIP-55. */
export const decodeAccount = (address: string) => account(getAddress(address))

/** Decodes a token id. */
export const decodeTokenId = (number: number) => tokenId(BigInt(number))

const codec: EventCodec<Stored, EventFieldValues> = {
  account: decodeAccount,
  'account?': (address) => (address === undefined ? undefined : decodeAccount(address)),
  tokenId: decodeTokenId,
  'tokenId?': (number) => (number === undefined ? undefined : decodeTokenId(number)),
  amount: (decimal) => wei(BigInt(decimal)),
  dollars: (decimal) => dollars(BigInt(decimal)),
  bps: (share) => share,
  'bps?': (share) => share,
  hash,
  digest,
  days: (days) => days,
  instant: fromSeconds,
}

/** Decodes the event of a row. */
export const decodeStoredEvent = (columns: EventColumns): TokenEvent =>
  convertEvent(decodeColumns(columns), codec)

/** More digits than the highest price of a listing has. */
const width = 32
const highest = 10n ** BigInt(width) - 1n

/**
 * Returns a price as a decimal text of fixed width, so that the order of the texts is that of the
 * prices. A price above all that a listing can hold becomes the highest text.
 */
export function sortableDecimal(price: bigint): string {
  if (price === 0n) return noPrice
  return String(price > highest ? highest : price).padStart(width, '0')
}

/** The price 0, which most tokens have: it comes before every other, and takes one byte. */
export const noPrice = '0'
