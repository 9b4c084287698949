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
import { parseClaims } from '../projection/royalty-claims.ts'
import type { Database, TokenRow } from '../schema.ts'

/** A row of a token, joined with its card, its source and its seal. */
export type JoinedTokenRow = TokenRow & {
  readonly card: string | null
  /** The creator of its source. */
  readonly sourceCreator: string
  /** Whether that creator had minted the same hashes before; a number in SQLite. */
  readonly isRepeated: unknown
  /** Whether this server sealed the same content for another creator; a number in SQLite. */
  readonly isOfAnother: unknown
  /** Null when there is no lookup of its sealed bundle. */
  readonly sealState: 'wanted' | 'read' | null
  readonly sealedFor: string | null
  readonly sealedContent: string | null
}

/** Returns the row id of a token; -1, which no row has, for an id beyond the safe integers. */
export const rowIdOf = (id: TokenId): number => (id > Number.MAX_SAFE_INTEGER ? -1 : Number(id))

/** Decodes an account, with the checksum of EIP-55. */
export const decodeAccount = (address: string): Account => account(getAddress(address))

const decodeId = (number: number): TokenId => tokenId(BigInt(number))

/** Decodes the row of a token. */
export function decodeToken(row: JoinedTokenRow): CataloguedToken {
  const { id, listedAt, at, card } = row
  return {
    tokenId: decodeId(id),
    contentHash: hash(row.contentHash),
    digest: digest(row.digest),
    creator: decodeAccount(row.creator),
    parent: row.parent === null ? undefined : decodeId(row.parent),
    mintedAt: fromSeconds(at),
    owner: decodeAccount(row.owner),
    royaltyBps: row.royaltyBps ?? undefined,
    ...forkRoyaltyOfShares({
      shares: parseClaims(row),
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
    originality: decodeOriginality(row),
    card: card === null ? undefined : (JSON.parse(card) as Card),
    mintedIn: decodePosition(row),
  }
}

function decodeOriginality(row: JoinedTokenRow): Originality {
  const { sealedFor, sealedContent, sealState, isRepeated } = row
  const isOwn = sealedFor === row.sourceCreator && sealedContent === row.contentHash
  return originalityOf({
    isOwn: sealedFor === null ? undefined : isOwn,
    isOfAnother: Boolean(row.isOfAnother),
    isAuthentic: sealState === 'read',
    isRepeated: Boolean(isRepeated),
  })
}

type PositionRow = Pick<TokenRow, 'block' | 'blockHash' | 'logIndex' | 'txHash' | 'at'>

function decodePosition({ block, blockHash, logIndex, txHash, at }: PositionRow) {
  return {
    block: BigInt(block),
    blockHash: hash(blockHash),
    logIndex,
    txHash: txHash as Hex,
    at: fromSeconds(at),
  }
}

/** Returns the id of an event. */
export const eventId = (row: Pick<PositionRow, 'block' | 'logIndex' | 'blockHash'>): string =>
  `${row.block}-${row.logIndex}-${row.blockHash.slice(2, 10)}`

/** Decodes the row of an event. */
export function decodeEvent(row: Database['event']): HistoryEntry {
  const encoded: Record<string, unknown> = JSON.parse(row.said)
  const fields = Object.entries(encoded).map(([name, value]) => [name, decodeField(name, value)])
  const event = { ...optionalFields[row.kind], ...Object.fromEntries(fields), kind: row.kind }
  return {
    ...decodePosition(row),
    id: eventId(row),
    tokenId: decodeId(row.tokenId),
    ...(event as TokenEvent),
  }
}

/** The fields of each kind that JSON omits when they are undefined. */
const optionalFields: Readonly<Record<string, object>> = {
  mint: { parent: undefined, royaltyBps: undefined },
  transfer: { from: undefined },
}

const accountFields = ['creator', 'from', 'to', 'seller', 'buyer', 'recipient', 'owner', 'renter']
const amountFields = ['price', 'rentalPricePerDay', 'forkPrice', 'paid', 'amount']

/** The decoders of event fields, by their names; other fields are plain JSON. */
const fieldDecoders: Readonly<Record<string, (value: string) => unknown>> = {
  ...Object.fromEntries([...accountFields, 'payer', 'forker'].map((name) => [name, decodeAccount])),
  ...Object.fromEntries(amountFields.map((name) => [name, (value: string) => wei(BigInt(value))])),
  parent: (value) => decodeId(Number(value)),
  child: (value) => decodeId(Number(value)),
  contentHash: hash,
  digest,
  expiresAt: (value) => fromSeconds(Number(value)),
}

const decodeField = (name: string, value: unknown): unknown =>
  fieldDecoders[name]?.(String(value)) ?? value
