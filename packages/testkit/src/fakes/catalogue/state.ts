import type {
  Account,
  CataloguedToken,
  Digest,
  ForkRoyalty,
  Hash,
  HistoryEntry,
  Instant,
  LiveTerms,
  TokenId,
} from '@heirloom/core'
import { noPrices, offersNothing } from '@heirloom/core'
import type { MemoryChain } from '../ledger.ts'

/** The state of a token after its events. */
export type Entry = Omit<CataloguedToken, 'card' | 'originality' | 'sample' | keyof ForkRoyalty> & {
  readonly firstOwner: Account
  readonly cards: readonly Digest[]
  /** The end of each renter's last rental. */
  readonly rentals: ReadonlyMap<Account, Instant>
}

/** The state of all tokens after the events that were read. */
export type ReadModel = {
  readonly entries: Map<TokenId, Entry>
  /** The tokens of each content hash, in the order of their mints. */
  readonly tokensOf: Map<Hash, TokenId[]>
  /** The number of events that were read. */
  length: number
}

const nothingOffered: LiveTerms = { ...noPrices, forkRoyaltyBps: 0 }
const unlisted = { terms: nothingOffered, listedAt: undefined }

/** Applies the events since the last call. */
export function catchUp(read: ReadModel, chain: MemoryChain): void {
  const history = chain.history()
  for (const event of history.slice(read.length)) apply(read, chain, event)
  read.length = history.length
}

function apply({ entries, tokensOf }: ReadModel, chain: MemoryChain, event: HistoryEntry): void {
  if (event.kind === 'mint') {
    const minted = entryOfMint(chain, event)
    entries.set(event.tokenId, minted)
    const { contentHash } = minted
    tokensOf.set(contentHash, [...(tokensOf.get(contentHash) ?? []), event.tokenId])
    return
  }
  const entry = entries.get(event.tokenId)
  if (entry !== undefined) entries.set(event.tokenId, { ...entry, ...changesOf(entry, event) })
}

type Mint = HistoryEntry & { readonly kind: 'mint' }

function entryOfMint(chain: MemoryChain, event: Mint): Entry {
  const { tokenId, royaltyBps, block, blockHash, logIndex, txHash, at } = event
  const record = chain.provenance(tokenId)
  const transfer = chain
    .history()
    .find((other) => other.kind === 'transfer' && other.tokenId === tokenId)
  if (record === undefined || transfer?.kind !== 'transfer') throw new RangeError(`${tokenId}`)
  return {
    ...record,
    ...unlisted,
    owner: transfer.to,
    firstOwner: transfer.to,
    royaltyBps,
    mintedIn: { block, blockHash, logIndex, txHash, at },
    cards: [],
    rentals: new Map(),
  }
}

function changesOf(entry: Entry, event: HistoryEntry): Partial<Entry> {
  switch (event.kind) {
    case 'card':
      return { cards: [...entry.cards, event.digest] }
    case 'transfer':
      return { owner: event.to, ...unlisted }
    case 'listing':
    case 'dollar-listing':
      return listingChanges(event)
    case 'sale':
    case 'dollar-sale':
      return unlisted
    case 'rental':
    case 'dollar-rental':
      return { rentals: new Map([...entry.rentals, [event.renter, event.expiresAt]]) }
    default:
      return {}
  }
}

type Listed = HistoryEntry & { readonly kind: 'listing' | 'dollar-listing' }

function listingChanges(event: Listed): Partial<Entry> {
  const terms = termsOf(event)
  return isLive(terms) ? { terms, listedAt: event.at } : unlisted
}

function termsOf(event: Listed): LiveTerms {
  const { forkRoyaltyBps } = event
  if (event.kind === 'listing') {
    const { price, rentalPricePerDay, forkPrice } = event
    return { price, rentalPricePerDay, forkPrice, forkRoyaltyBps }
  }
  const { asset, price, rentalPricePerDay, forkPrice } = event
  const dollars = { asset, price, rentalPricePerDay, forkPrice }
  return { ...noPrices, forkRoyaltyBps, ...(offersNothing(dollars) ? {} : { dollars }) }
}

/** Returns whether terms make at least one offer, or name a share. */
export function isLive(terms: LiveTerms): boolean {
  return !offersNothing(terms) || terms.dollars !== undefined || terms.forkRoyaltyBps > 0
}
