import {
  type Card,
  type CataloguedToken,
  type CommittedExcerpt,
  type Dollars,
  digest,
  dollars,
  forkRoyaltyOfShares,
  fromSeconds,
  type HistoryEntry,
  hash,
  type ListingsQuery,
  type LiveTerms,
  noPrices,
  type Originality,
  originalityOf,
  sampleOf,
  type TokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import { parseClaims } from '../projection/earnings.ts'
import { decodeAccount, decodeStoredEvent, decodeTokenId } from '../projection/stored-event.ts'
import type { EventRow, MinedColumns, TokenRow } from '../schema.ts'
import { hexOf } from '../table.ts'

/** A row of a token, joined with its transaction, its card and its seal. */
export type JoinedTokenRow = TokenRow &
  MinedColumns & {
    readonly card: string | null
    /** Whether its maker had minted the same hashes before; a number in SQLite. */
    readonly isRepeated: unknown
    /** Whether this server sealed the same content for another creator; a number in SQLite. */
    readonly isOfAnother: unknown
    /** Null when there is no lookup of its sealed bundle. */
    readonly sealState: 'wanted' | 'found' | null
    /** The number of failed lookups. */
    readonly sealLooks: number | null
    readonly sealedFor: Uint8Array | null
    readonly sealedContent: Uint8Array | null
    readonly itemsRoot: Uint8Array | null
    /** Its excerpts, as JSON. */
    readonly excerpts: string | null
  }

/** Returns the row id of a token; -1, which no row has, for an id beyond the safe integers. */
export const rowIdOf = (id: TokenId): number => (id > Number.MAX_SAFE_INTEGER ? -1 : Number(id))

/** Decodes the row of a token. */
export function decodeToken(row: JoinedTokenRow): CataloguedToken {
  const { id, listedAt, at, card } = row
  const originality = decodeOriginality(row)
  return {
    tokenId: decodeTokenId(id),
    contentHash: hash(hexOf(row.contentHash)),
    digest: digest(hexOf(row.digest)),
    creator: accountOf(row.creator),
    parent: row.parent === null ? undefined : decodeTokenId(row.parent),
    mintedAt: fromSeconds(at),
    owner: accountOf(row.owner),
    royaltyBps: row.royaltyBps ?? undefined,
    ...forkRoyaltyOfShares({
      shares: parseClaims(row),
      depth: row.depth,
      royaltyBps: row.forkRoyaltyBps,
    }),
    terms: decodeTerms(row),
    listedAt: listedAt === null ? undefined : fromSeconds(listedAt),
    originality,
    card: card === null ? undefined : (JSON.parse(card) as Card),
    sample: sampleOf(originality, decodeSample(row)),
    mintedIn: decodePosition(row),
    ...sourceOf(row),
  }
}

function sourceOf({ id, source, maker }: JoinedTokenRow): Pick<CataloguedToken, 'source'> {
  if (source === id) return {}
  return { source: { tokenId: decodeTokenId(source), creator: accountOf(maker) } }
}

function decodeTerms(row: JoinedTokenRow): LiveTerms {
  const { asset, forkRoyaltyBps } = row
  const prices = <Amount extends Wei | Dollars>(unit: (amount: bigint) => Amount) => ({
    price: unit(BigInt(row.price)),
    rentalPricePerDay: unit(BigInt(row.rentalPricePerDay)),
    forkPrice: unit(BigInt(row.forkPrice)),
  })
  if (asset === null) return { ...prices(wei), forkRoyaltyBps }
  const inDollars = { asset: accountOf(asset), ...prices(dollars) }
  return { ...noPrices, forkRoyaltyBps, dollars: inDollars }
}

const accountOf = (bytes: Uint8Array) => decodeAccount(hexOf(bytes))

const isSame = (one: Uint8Array | null, other: Uint8Array): boolean =>
  one !== null && Buffer.compare(one, other) === 0

function decodeOriginality(row: JoinedTokenRow): Originality {
  const { sealedFor, sealedContent, sealState, sealLooks, isRepeated } = row
  const isOwn = isSame(sealedFor, row.maker) && isSame(sealedContent, row.contentHash)
  return originalityOf({
    isOwn: sealedFor === null ? undefined : isOwn,
    // An original that was not looked for yet may stand beside a copy that was.
    isOfAnother: sealLooks !== 0 && Boolean(row.isOfAnother),
    isAuthentic: sealState === 'found',
    isRepeated: Boolean(isRepeated),
  })
}

function decodeSample({ itemsRoot, excerpts }: JoinedTokenRow) {
  if (itemsRoot === null || excerpts === null) return {}
  return {
    root: hash(hexOf(itemsRoot)),
    excerpts: JSON.parse(excerpts) as readonly CommittedExcerpt[],
  }
}

type PositionRow = Pick<EventRow, 'block' | 'blockHash' | 'logIndex' | 'txHash' | 'at'>

function decodePosition({ block, blockHash, logIndex, txHash, at }: PositionRow) {
  return {
    block: BigInt(block),
    blockHash: hash(hexOf(blockHash)),
    logIndex,
    txHash: hexOf(txHash),
    at: fromSeconds(at),
  }
}

/** Returns the id of an event. */
export const eventId = (row: Pick<PositionRow, 'block' | 'logIndex' | 'blockHash'>): string =>
  `${row.block}-${row.logIndex}-${hexOf(row.blockHash).slice(2, 10)}`

/** Decodes the row of an event. */
export const decodeEvent = (row: EventRow): HistoryEntry => ({
  ...decodePosition(row),
  id: eventId(row),
  tokenId: decodeTokenId(row.tokenId),
  ...decodeStoredEvent(row),
})

/** The numbers of the listings and of the versions of a family. */
export type FamilyNumbers = {
  readonly members: number | string
  readonly versions: number | string
}

/** Decodes a listing that comes first of its family. */
export function decodeMember(row: JoinedTokenRow & FamilyNumbers): CataloguedToken {
  const [listings, versions] = [Number(row.members), Number(row.versions)]
  return { ...decodeToken(row), family: { tokenId: decodeTokenId(row.source), listings, versions } }
}

type Sorted = { readonly sortKey: number | string | null }

/** Returns what decodes a listing, with the number of its renters in the order of these. */
export const withRenters =
  <Row>({ sort }: Pick<ListingsQuery, 'sort'>, decode: (row: Row) => CataloguedToken) =>
  (row: Row & Sorted): CataloguedToken =>
    sort === 'rentals' ? { ...decode(row), renters: Number(row.sortKey) } : decode(row)
