import {
  account,
  convertEvent,
  digest,
  dollars,
  type EncodedEvent,
  type EncodedFields,
  type EventCodec,
  type EventFieldType,
  type EventFieldValues,
  type EventKind,
  eventFields,
  eventKinds,
  fromSeconds,
  hash,
  type TokenEvent,
  tokenId,
  wei,
} from '@heirloom/core'
import { getAddress } from 'viem'
import { hexOf } from '../table.ts'

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
export type EventColumns = { readonly kind: string; readonly said: Uint8Array }

/** The places of the accounts of an event in its bytes, from 1; no kind has more. */
export const accountPlaces = [2, 22, 42, 62] as const

type Member = readonly [name: string, type: EventFieldType]

/** The fields of each kind by how they are stored: as an account, as a hash, or in the text. */
const layouts: Readonly<Record<string, Layout>> = Object.fromEntries(
  eventKinds.map((kind) => [kind, layoutOf(kind)]),
)

type Layout = ReturnType<typeof layoutOf>

function layoutOf(kind: EventKind) {
  const all = Object.entries(eventFields[kind]) as readonly Member[]
  const of = (...types: readonly EventFieldType[]) => all.filter(([, it]) => types.includes(it))
  // The account that may be absent is the last.
  const [accounts, hashes] = [[...of('account'), ...of('account?')], of('hash', 'digest')]
  const others = all.filter((it) => !accounts.includes(it) && !hashes.includes(it))
  return { accounts, hashes, others }
}

/**
 * Encodes the columns of an event: the number of its accounts, these, its hashes, and what else it has as
 * a text with commas. Each has its place in `eventFields`, so no name is stored.
 */
export function encodeColumns({ kind, ...event }: StoredEvent): EventColumns {
  const fields: Readonly<Record<string, unknown>> = event
  const { accounts, hashes, others } = layouts[kind] as Layout
  const digitsOf = (members: readonly Member[]) =>
    members.map(([name]) => String(fields[name] ?? '').slice(2)).join('')
  const named = digitsOf(accounts)
  const known = Buffer.from(`0${named.length / 40}${named}${digitsOf(hashes)}`, 'hex')
  const rest = others.map(([name]) => fields[name] ?? '').join()
  return { kind, said: Buffer.concat([known, Buffer.from(rest)]) }
}

/** Decodes the columns of an event; the values remain as they are stored. */
export function decodeColumns({ kind, said }: EventColumns): StoredEvent {
  const { accounts, hashes, others } = layouts[kind] as Layout
  const named = accounts.slice(0, said[0])
  const fields: Record<string, unknown> = { kind }
  let at = 1
  for (const [members, length] of [
    [named, 20],
    [hashes, 32],
  ] as const) {
    for (const [name] of members) {
      fields[name] = hexOf(said.subarray(at, at + length))
      at += length
    }
  }
  const texts = Buffer.from(said.subarray(at)).toString().split(',')
  for (const [index, [name, type]] of others.entries()) fields[name] = storedOf(type, texts[index])
  return fields as StoredEvent
}

/** Amounts remain texts; other numbers are safe integers, and one that is absent is empty. */
function storedOf(type: EventFieldType, text = ''): string | number | undefined {
  if (type === 'amount' || type === 'dollars') return text
  return text === '' ? undefined : Number(text)
}

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
