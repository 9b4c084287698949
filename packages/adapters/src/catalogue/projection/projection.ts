import type { TimedLog } from '../indexer/chain-reader.ts'
import type { CardRow, Database, SealRow, TokenChange, TokenRow } from '../schema.ts'
import { bytesOf } from '../table.ts'
import {
  accountIn,
  type DecodedEvent,
  decodeLog,
  hashIn,
  licensedShareIn,
  parentIn,
} from './decode-log.ts'
import { claimsOfFork, type Earning, earningsOf } from './earnings.ts'
import { encodeColumns, noPrice, type StoredEvent, sortableDecimal } from './stored-event.ts'

/** The rows that a run of events changes. */
export type Projection = {
  /** The tokens that the events mention. */
  readonly tokens: Map<number, TokenRow>
  /** The owners of tokens whose transfer came before their mint event. */
  readonly firstOwners: Map<number, string>
  /** The ids of tokens to write. */
  readonly changed: Set<number>
  /** The first event of each transaction. */
  readonly mined: TimedLog[]
  readonly events: Database['event'][]
  readonly rentals: Database['rental'][]
  readonly heirs: Database['heir'][]
  readonly cards: CardRow[]
  readonly seals: SealRow[]
  readonly earnings: Earning[]
}

/** Returns a projection that starts from the given tokens. */
export function newProjection(known: Iterable<TokenRow>): Projection {
  return {
    tokens: new Map([...known].map((token) => [token.id, token])),
    firstOwners: new Map(),
    changed: new Set(),
    mined: [],
    events: [],
    rentals: [],
    heirs: [],
    cards: [],
    seals: [],
    earnings: [],
  }
}

/** Applies an event to a projection. */
export function applyEvent(projection: Projection, log: TimedLog): void {
  const decoded = decodeLog(log.name, log.words)
  if (decoded !== undefined) {
    const { tokenId, event } = decoded
    const { block, logIndex, at } = log
    const position = { block, logIndex, firstLog: firstLogOf(projection, log), at }
    projection.events.push({ ...position, tokenId, ...encodeColumns(event) })
    change(projection, decoded, log)
  }
  projection.earnings.push(...earningsOf(projection.tokens, log))
}

/** Returns the index of the first event of a log's transaction, whose events follow each other. */
function firstLogOf({ mined }: Projection, log: TimedLog): number {
  const { block, logIndex, blockHash, txHash } = log
  const last = mined.at(-1)
  const isSame = last?.block === block && last.blockHash === blockHash && last.txHash === txHash
  if (isSame) return last.logIndex
  mined.push(log)
  return logIndex
}

/** Applies what an event changes besides the history of its token. */
function change(projection: Projection, { tokenId, event }: DecodedEvent, log: TimedLog): void {
  const { block, logIndex, at } = log
  if (event.kind === 'mint') addToken(projection, tokenId, log)
  if (event.kind === 'transfer') transferToken(projection, tokenId, event)
  if (isListing(event)) updateToken(projection, tokenId, listingColumns(event, at))
  if (event.kind === 'rental' || event.kind === 'dollar-rental') {
    const { renter, expiresAt } = event
    projection.rentals.push({ tokenId, block, logIndex, renter: bytesOf(renter), expiresAt })
  }
  if (event.kind === 'heir-named') {
    const { account, heir = null } = event
    projection.heirs.push({ account, block, logIndex, heir })
  }
  if (event.kind === 'card') {
    projection.cards.push({ tokenId, block, digest: bytesOf(event.digest), ...pending, ...noCard })
  }
}

const pending = { state: 'wanted', looks: 0, lookAt: 0 } as const
const noCard = { title: null, category: null, card: null }

function addToken(projection: Projection, tokenId: number, log: TimedLog): void {
  const token = mintedToken(projection, tokenId, log)
  projection.tokens.set(tokenId, token)
  projection.changed.add(tokenId)
  if (token.royaltyBps !== null) countOne(projection, token.parent ?? 0, 'forks')
  const digest = bytesOf(hashIn(log.words, 'digest'))
  projection.seals.push({
    digest,
    ...pending,
    sealedFor: null,
    sealedContent: null,
    itemsRoot: null,
    excerpts: null,
    format: null,
  })
}

function transferToken(
  projection: Projection,
  tokenId: number,
  { from, to }: StoredEvent<'transfer'>,
): void {
  if (from === undefined) projection.firstOwners.set(tokenId, to)
  else updateToken(projection, tokenId, { owner: bytesOf(to), ...unlisted })
}

/** The terms of a token that is not listed, as after a transfer. */
export const unlisted = {
  price: noPrice,
  rentalPricePerDay: noPrice,
  forkPrice: noPrice,
  asset: null,
  forkRoyaltyBps: 0,
  listedAt: null,
} satisfies TokenChange

/** The kinds of events that set the terms of a token. */
export const listingKinds = ['listing', 'dollar-listing'] as const

type ListingKind = (typeof listingKinds)[number]

/** Returns whether an event sets the terms of a token. */
export const isListing = (event: StoredEvent): event is StoredEvent<ListingKind> =>
  listingKinds.some((kind) => kind === event.kind)

/** Returns the columns that a listing sets; terms that are all zero take the listing down. */
export function listingColumns(listing: StoredEvent<ListingKind>, at: number): TokenChange {
  const terms = {
    price: sortableDecimal(BigInt(listing.price)),
    rentalPricePerDay: sortableDecimal(BigInt(listing.rentalPricePerDay)),
    forkPrice: sortableDecimal(BigInt(listing.forkPrice)),
    forkRoyaltyBps: listing.forkRoyaltyBps,
  } satisfies TokenChange
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  const hasPrice = [price, rentalPricePerDay, forkPrice].some((it) => it !== noPrice)
  // Without a price the contracts forget the currency.
  const asset = listing.kind === 'dollar-listing' && hasPrice ? bytesOf(listing.asset) : null
  return hasPrice || forkRoyaltyBps > 0 ? { ...terms, asset, listedAt: at } : unlisted
}

/** Counts a licensed fork of a token, or an account that has rented it for the first time. */
export function countOne(
  projection: Projection,
  tokenId: number,
  column: 'forks' | 'rentals',
): void {
  const before = projection.tokens.get(tokenId)?.[column] ?? 0
  updateToken(projection, tokenId, { [column]: before + 1 })
}

function updateToken(projection: Projection, tokenId: number, change: TokenChange): void {
  const token = projection.tokens.get(tokenId)
  if (token === undefined) return
  projection.tokens.set(tokenId, { ...token, ...change })
  projection.changed.add(tokenId)
}

function mintedToken(projection: Projection, id: number, log: TimedLog): TokenRow {
  const { words, block, logIndex, at } = log
  const parent = parentIn(words)
  const royaltyBps = licensedShareIn(words)
  const elder = projection.tokens.get(parent ?? 0)
  const licensor = royaltyBps === undefined ? undefined : elder
  const minter = accountIn(words, 'creator')
  const creator = bytesOf(minter)
  const owner = bytesOf(projection.firstOwners.get(id) ?? minter)
  return {
    id,
    block,
    logIndex,
    firstLog: firstLogOf(projection, log),
    at,
    ...unlisted,
    ...originOf({ id, creator, owner, elder, isLicensed: royaltyBps !== undefined }),
    contentHash: bytesOf(hashIn(words, 'contentHash')),
    digest: bytesOf(hashIn(words, 'digest')),
    creator,
    parent: parent ?? null,
    royaltyBps: royaltyBps ?? null,
    claims: claimsOfFork(licensor, royaltyBps ?? 0),
    depth: licensor === undefined ? 0 : licensor.depth + 1,
    title: licensor?.title ?? '',
    rentals: 0,
    forks: 0,
    owner,
  }
}

type Mint = {
  readonly id: number
  readonly creator: Uint8Array
  readonly owner: Uint8Array
  /** Its parent. */
  readonly elder: TokenRow | undefined
  readonly isLicensed: boolean
}

const areEqual = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0

type Origin = Pick<TokenRow, 'source' | 'maker' | 'keeper' | 'family'>

/** Returns who made the memory of a new token, and where it and its family begin. */
function originOf({ id, creator, owner, elder, isLicensed }: Mint): Origin {
  const own = { source: id, maker: creator, keeper: owner, family: id }
  if (elder === undefined) return own
  const { source, maker, keeper, family } = elder
  if (isLicensed) return { source, maker, keeper, family }
  // Nobody else declares a version of the memory of a maker. The wallet of a server is the maker of what
  // it mints for all its clients, whom the first owners tell apart.
  return areEqual(maker, creator) && areEqual(keeper, owner) ? { ...own, family } : own
}
