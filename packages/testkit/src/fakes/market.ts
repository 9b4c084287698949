import {
  type Account,
  type Currency,
  currencyOf,
  type DollarPrices,
  day,
  Failure,
  type ForkRoyalty,
  forkRoyalty,
  type Instant,
  instant,
  maxLineageDepth,
  maxRentalDays,
  type Provenance,
  type Terms,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import {
  blockTime,
  type ChainEvent,
  type ChainState,
  checksummed,
  lineOf,
  rentalKey,
  requireRecipient,
  requireToken,
  type Token,
  termsKey,
} from './chain-state.ts'

function termsOf(state: ChainState, token: Token): Partial<Terms> {
  return state.terms.get(termsKey(token.record.tokenId, token)) ?? {}
}

const notOffered = {
  price: 'listing/not-for-sale',
  rentalPricePerDay: 'listing/not-for-rent',
  forkPrice: 'listing/not-for-fork',
} as const

/** Returns an offered price; refuses one that is not offered or is in another currency. */
export function requireOffer(
  state: ChainState,
  token: Token,
  way: keyof DollarPrices,
  currency: Currency,
): bigint {
  const { tokenId: id } = token.record
  const terms = termsOf(state, token)
  const price = (terms.dollars ?? terms)[way] ?? 0n
  if (price === 0n) throw new Failure(notOffered[way], { tokenId: id })
  if (currencyOf(terms) !== currency) throw new Failure('listing/currency-changed', { tokenId: id })
  return price
}

/** Records a token and returns its id. */
export function record(
  state: ChainState,
  origin: Omit<Provenance, 'tokenId' | 'mintedAt'>,
  recipient: Account,
  royaltyBps?: number,
): TokenId {
  const id = tokenId(BigInt(state.tokens.size + 1))
  const { contentHash, digest, creator, parent } = origin
  state.tokens.set(id, {
    record: { tokenId: id, contentHash, digest, creator, parent, mintedAt: blockTime(state) },
    royaltyBps,
    owner: checksummed(recipient),
    transfers: 0,
  })
  return id
}

/** Returns the events of a mint. */
export function mintEvents(state: ChainState, id: TokenId): readonly ChainEvent[] {
  const { owner, record: minted, royaltyBps } = requireToken(state, id)
  const { creator, parent, contentHash } = minted
  const card = state.cards.get(id)
  return [
    { kind: 'transfer', tokenId: id, from: undefined, to: owner },
    { kind: 'mint', tokenId: id, creator, parent, royaltyBps, contentHash },
    ...(card === undefined ? [] : [{ kind: 'card', tokenId: id, digest: card } as const]),
  ]
}

/** Returns the end of a rental, renewed from the end of the running one. */
export function renewed(state: ChainState, id: TokenId, renter: Account, days: number): Instant {
  const now = blockTime(state)
  const running = Math.max(state.rentals.get(rentalKey(id, renter)) ?? now, now)
  const expiresAt = instant(running + days * day)
  const limit = instant(now + maxRentalDays * day)
  if (expiresAt > limit) throw new Failure('rental/too-long', { tokenId: id, expiresAt, limit })
  return expiresAt
}

type Licensee = {
  readonly creator: Account
  readonly accepted: number
  readonly recipient: Account
}

/** Records a fork of a token, and returns it with the share that it adds. */
export function license(
  state: ChainState,
  token: Token,
  { creator, accepted, recipient }: Licensee,
): { readonly child: TokenId; readonly royaltyBps: number } {
  const { tokenId: id } = token.record
  const { forkRoyaltyBps = 0 } = termsOf(state, token)
  const fork = forkRoyalty(lineOf(state, token), forkRoyaltyBps)
  const royaltyBps = acceptedShare(fork, { tokenId: id, accepted, recipient })
  const origin = { ...token.record, creator, parent: id }
  return { child: record(state, origin, recipient, royaltyBps), royaltyBps }
}

/** Returns the share that a fork adds; refuses its total, its recipient or its depth. */
function acceptedShare(
  fork: ForkRoyalty,
  { tokenId: id, accepted, recipient }: Omit<Licensee, 'creator'> & { readonly tokenId: TokenId },
): number {
  const { totalRoyaltyBps: royaltyBps, effectiveRoyaltyBps, canBeForked } = fork
  if (royaltyBps > accepted) {
    throw new Failure('listing/royalty-changed', { tokenId: id, royaltyBps, accepted })
  }
  requireRecipient(recipient)
  if (!canBeForked) throw new Failure('lineage/too-deep', { tokenId: id, limit: maxLineageDepth })
  return effectiveRoyaltyBps
}
