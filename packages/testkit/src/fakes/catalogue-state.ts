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

/** A token as the events have left it. */
export type Entry = Omit<CataloguedToken, 'card' | 'originality' | keyof ForkRoyalty> & {
  readonly cards: readonly Digest[]
  /** When the last rental of each renter ends. */
  readonly rentals: ReadonlyMap<Account, Instant>
}

/** What was read of a chain so far. */
export type Read = {
  readonly entries: Map<TokenId, Entry>
  /** How much of the chain's history was read. */
  length: number
}

const nothingOffered: Terms = {
  price: wei(0n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}
const unlisted = { terms: nothingOffered, listedAt: undefined }

/** Reads what a chain has done since the last time. */
export function readOn(read: Read, chain: MemoryChain): void {
  const history = chain.history()
  for (const event of history.slice(read.length)) apply(read, chain, event)
  read.length = history.length
}

function apply({ entries }: Read, chain: MemoryChain, event: HistoryEntry): void {
  if (event.kind === 'mint') {
    entries.set(event.tokenId, mintedBy(chain, event))
    return
  }
  const entry = entries.get(event.tokenId)
  if (entry !== undefined) entries.set(event.tokenId, { ...entry, ...changedBy(entry, event) })
}

type Mint = HistoryEntry & { readonly kind: 'mint' }

function mintedBy(chain: MemoryChain, event: Mint): Entry {
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

function changedBy(entry: Entry, event: HistoryEntry): Partial<Entry> {
  switch (event.kind) {
    case 'card':
      return { cards: [...entry.cards, event.digest] }
    case 'transfer':
      return { owner: event.to, ...unlisted }
    case 'listing':
      return listedBy(event)
    case 'sale':
      return unlisted
    case 'rental':
      return { rentals: new Map([...entry.rentals, [event.renter, event.expiresAt]]) }
    default:
      return {}
  }
}

function listedBy(event: HistoryEntry & { readonly kind: 'listing' }): Partial<Entry> {
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps, at } = event
  const terms = { price, rentalPricePerDay, forkPrice, forkRoyaltyBps }
  return isLive(terms) ? { terms, listedAt: at } : unlisted
}

/** Tells whether terms are those of a listing. */
export function isLive({ price, rentalPricePerDay, forkPrice, forkRoyaltyBps }: Terms): boolean {
  return (price | rentalPricePerDay | forkPrice) > 0n || forkRoyaltyBps > 0
}
