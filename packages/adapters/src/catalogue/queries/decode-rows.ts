import {
  type Account,
  account,
  type Card,
  type CataloguedToken,
  digest,
  forkRoyaltyOfShares,
  fromSeconds,
  type Hex,
  type HistoryEntry,
  hash,
  type Originality,
  originalityOf,
  type TokenEvent,
  type TokenId,
  tokenId,
  wei,
} from '@heirloom/core'
import { getAddress } from 'viem'
import { claimsIn } from '../projection/royalty-claims.ts'
import type { Database, TokenRow } from '../schema.ts'

/** A row of a token with what else is told of it. */
export type ShownRow = TokenRow & {
  readonly card: string | null
  /** Who made the token whose memory it shares. */
  readonly sourceCreator: string
  /** Whether that creator had minted the same pair of hashes before; a number in SQLite. */
  readonly isRepeated: unknown
  /** Whether this server sealed the same content for another creator; a number in SQLite. */
  readonly isOfAnother: unknown
  /** Absent where the head of the sealed memory was not read. */
  readonly sealState: 'wanted' | 'read' | null
  readonly sealedFor: string | null
  readonly sealedContent: string | null
}

/** Returns the number of a token as it is kept; no token has the one of an id beyond all. */
export const idOf = (id: TokenId): number => (id > Number.MAX_SAFE_INTEGER ? -1 : Number(id))

/** Returns an account as it leaves the catalogue. */
export const accountOf = (address: string): Account => account(getAddress(address))

const idIn = (number: number): TokenId => tokenId(BigInt(number))

/** Returns a token as the catalogue tells it. */
export function toldToken(row: ShownRow): CataloguedToken {
  const { id, listedAt, at, card } = row
  return {
    tokenId: idIn(id),
    contentHash: hash(row.contentHash),
    digest: digest(row.digest),
    creator: accountOf(row.creator),
    parent: row.parent === null ? undefined : idIn(row.parent),
    mintedAt: fromSeconds(at),
    owner: accountOf(row.owner),
    royaltyBps: row.royaltyBps ?? undefined,
    ...forkRoyaltyOfShares({
      shares: claimsIn(row),
      depth: row.depth,
      royaltyBps: row.forkRoyaltyBps,
    }),
    terms: {
      price: wei(BigInt(row.price)),
      rentalPricePerDay: wei(BigInt(row.rentalPricePerDay)),
      forkPrice: wei(BigInt(row.forkPrice)),
      forkRoyaltyBps: row.forkRoyaltyBps,
    },
    listedAt: listedAt === null ? undefined : fromSeconds(listedAt),
    originality: originalityIn(row),
    card: card === null ? undefined : (JSON.parse(card) as Card),
    mintedIn: placeOf(row),
  }
}

function originalityIn(row: ShownRow): Originality {
  const { sealedFor, sealedContent, sealState, isRepeated } = row
  const isOwn = sealedFor === row.sourceCreator && sealedContent === row.contentHash
  return originalityOf({
    isOwn: sealedFor === null ? undefined : isOwn,
    isOfAnother: Boolean(row.isOfAnother),
    isAuthentic: sealState === 'read',
    isRepeated: Boolean(isRepeated),
  })
}

type PlaceRow = Pick<TokenRow, 'block' | 'blockHash' | 'logIndex' | 'txHash' | 'at'>

function placeOf({ block, blockHash, logIndex, txHash, at }: PlaceRow) {
  return {
    block: BigInt(block),
    blockHash: hash(blockHash),
    logIndex,
    txHash: txHash as Hex,
    at: fromSeconds(at),
  }
}

/** Returns the id of an event. */
export const eventId = (row: Pick<PlaceRow, 'block' | 'logIndex' | 'blockHash'>): string =>
  `${row.block}-${row.logIndex}-${row.blockHash.slice(2, 10)}`

/** Returns an event as the catalogue tells it. */
export function toldEvent(row: Database['event']): HistoryEntry {
  const said: Record<string, unknown> = JSON.parse(row.said)
  const members = Object.entries(said).map(([name, value]) => [name, memberOf(name, value)])
  const happening = { ...absent[row.kind], ...Object.fromEntries(members), kind: row.kind }
  return {
    ...placeOf(row),
    id: eventId(row),
    tokenId: idIn(row.tokenId),
    ...(happening as TokenEvent),
  }
}

/** Members that JSON leaves out where they are absent. */
const absent: Readonly<Record<string, object>> = {
  mint: { parent: undefined, royaltyBps: undefined },
  transfer: { from: undefined },
}

const accounts = ['creator', 'from', 'to', 'seller', 'buyer', 'recipient', 'owner', 'renter']
const amounts = ['price', 'rentalPricePerDay', 'forkPrice', 'paid', 'amount']

const spelled: Readonly<Record<string, (value: string) => unknown>> = {
  ...Object.fromEntries([...accounts, 'payer', 'forker'].map((name) => [name, accountOf])),
  ...Object.fromEntries(amounts.map((name) => [name, (value: string) => wei(BigInt(value))])),
  parent: (value) => idIn(Number(value)),
  child: (value) => idIn(Number(value)),
  contentHash: hash,
  digest,
  expiresAt: (value) => fromSeconds(Number(value)),
}

const memberOf = (name: string, value: unknown): unknown => spelled[name]?.(String(value)) ?? value
