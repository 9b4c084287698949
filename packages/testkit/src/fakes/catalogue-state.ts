import type {
  Account,
  CataloguedToken,
  Digest,
  ForkRoyalty,
  HistoryEntry,
  Instant,
  Terms,
  TokenId,
} from '@heirloom/core'
import { wei } from '@heirloom/core'
import type { MemoryChain } from './ledger.ts'

/** The state of a token after its events. */
export type Entry = Omit<CataloguedToken, 'card' | 'originality' | keyof ForkRoyalty> & {
  readonly cards: readonly Digest[]
  /** The end of each renter's last rental. */
  readonly rentals: ReadonlyMap<Account, Instant>
}

/** The state of all tokens after the events that were read. */
export type ReadModel = {
  readonly entries: Map<TokenId, Entry>
  /** The number of events that were read. */
  length: number
}

const nothingOffered: Terms = {
  price: wei(0n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}
const unlisted = { terms: nothingOffered, listedAt: undefined }

/** Applies the events since the last call. */
export function catchUp(read: ReadModel, chain: MemoryChain): void {
  const history = chain.history()
  for (const event of history.slice(read.length)) apply(read, chain, event)
  read.length = history.length
}

function apply({ entries }: ReadModel, chain: MemoryChain, event: HistoryEntry): void {
  if (event.kind === 'mint') {
    entries.set(event.tokenId, entryOfMint(chain, event))
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
      return listingChanges(event)
    case 'sale':
      return unlisted
    case 'rental':
      return { rentals: new Map([...entry.rentals, [event.renter, event.expiresAt]]) }
    default:
      return {}
  }
}

function listingChanges(event: HistoryEntry & { readonly kind: 'listing' }): Partial<Entry> {
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps, at } = event
  const terms = { price, rentalPricePerDay, forkPrice, forkRoyaltyBps }
  return isLive(terms) ? { terms, listedAt: at } : unlisted
}

/** Returns whether terms make at least one offer. */
export function isLive({ price, rentalPricePerDay, forkPrice, forkRoyaltyBps }: Terms): boolean {
  return (price | rentalPricePerDay | forkPrice) > 0n || forkRoyaltyBps > 0
}
