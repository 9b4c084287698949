import {
  type Account,
  day,
  Failure,
  type ForkRoyalty,
  forkRoyalty,
  type Instant,
  instant,
  type Ledger,
  listableTerms,
  maxLineageDepth,
  maxRentalDays,
  type Provenance,
  rentalDays,
  royaltyShare,
  type Terms,
  type TokenId,
  tokenId,
  wei,
} from '@heirloom/core'
import { type ChainEvent, recordBlock } from './chain-history.ts'
import {
  blockTime,
  type ChainState,
  checksummed,
  handOver,
  lineOf,
  pay,
  rentalKey,
  requireContent,
  requireFunds,
  requireGas,
  requirePayment,
  requireRecipient,
  requireToken,
  settle,
  type Token,
  termsKey,
} from './chain-state.ts'
import type { Writes } from './idempotent-writes.ts'

/** Returns the writes of one wallet; each checks in the order of the contracts before it writes. */
export function writes(state: ChainState, agent: Account): Writes {
  return {
    mint: mint(state, agent),
    list: list(state, agent),
    buy: buy(state, agent),
    rent: rent(state, agent),
    fork: fork(state, agent),
    payRoyalty: payRoyalty(state, agent),
  }
}

function mint(state: ChainState, agent: Account): Ledger['mint'] {
  return async ({ recipient, card, ...content }) => {
    if (content.parent === 0n) throw new Failure('token/not-found', { tokenId: content.parent })
    requireRecipient(recipient)
    requireContent(content.contentHash)
    if (content.parent !== undefined) requireToken(state, content.parent)
    requireGas(state, agent)
    const { contentHash, digest } = content
    const minted = record(state, { ...content, creator: agent }, recipient)
    if (card !== undefined) state.cards.set(minted, card)
    return {
      tokenId: minted,
      contentHash,
      digest,
      acceptedAt: state.clock.now(),
      ...recordBlock(state, mintEvents(state, minted)),
    }
  }
}

function record(
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

function mintEvents(state: ChainState, id: TokenId): readonly ChainEvent[] {
  const { owner, record: minted, royaltyBps } = requireToken(state, id)
  const { creator, parent, contentHash } = minted
  const card = state.cards.get(id)
  return [
    { kind: 'transfer', tokenId: id, from: undefined, to: owner },
    { kind: 'mint', tokenId: id, creator, parent, royaltyBps, contentHash },
    ...(card === undefined ? [] : [{ kind: 'card', tokenId: id, digest: card } as const]),
  ]
}

function list(state: ChainState, agent: Account): Ledger['list'] {
  return async ({ tokenId: id, ...offer }) => {
    royaltyShare(offer.forkRoyaltyBps)
    const token = requireToken(state, id)
    const { owner } = token
    if (owner !== agent) {
      throw new Failure('listing/not-owner', { tokenId: id, owner, account: agent })
    }
    const terms = listableTerms(offer)
    requireGas(state, agent)
    if (isEmpty(terms)) state.terms.delete(termsKey(id, token))
    else state.terms.set(termsKey(id, token), terms)
    return recordBlock(state, [{ kind: 'listing', tokenId: id, seller: owner, ...terms }])
  }
}

function isEmpty({ price, rentalPricePerDay, forkPrice, forkRoyaltyBps }: Terms): boolean {
  return (price | rentalPricePerDay | forkPrice) === 0n && forkRoyaltyBps === 0
}

function buy(state: ChainState, agent: Account): Ledger['buy'] {
  return async ({ tokenId: id, price: offered, recipient }) => {
    requireFunds(state, agent, offered)
    const token = requireToken(state, id)
    const { price = wei(0n) } = termsOf(state, token)
    if (price === 0n) throw new Failure('listing/not-for-sale', { tokenId: id })
    requirePayment(id, price, offered)
    requireRecipient(recipient)
    handOver(state, id, token, recipient)
    const [seller, to] = [token.owner, checksummed(recipient)]
    return recordBlock(state, [
      { kind: 'transfer', tokenId: id, from: seller, to },
      { kind: 'sale', tokenId: id, seller, buyer: agent, recipient: to, price },
      ...settle(state, { token, payer: agent, price }),
    ])
  }
}

function rent(state: ChainState, agent: Account): Ledger['rent'] {
  return async ({ tokenId: id, days, price: offered, recipient }) => {
    rentalDays(days)
    requireFunds(state, agent, offered)
    requireRecipient(recipient)
    const token = requireToken(state, id)
    const { rentalPricePerDay = wei(0n) } = termsOf(state, token)
    if (rentalPricePerDay === 0n) throw new Failure('listing/not-for-rent', { tokenId: id })
    const price = wei(rentalPricePerDay * BigInt(days))
    requirePayment(id, price, offered)
    const expiresAt = renewed(state, id, recipient, days)
    state.rentals.set(rentalKey(id, recipient), expiresAt)
    const { owner } = token
    const [renter, payer] = [checksummed(recipient), agent]
    const made = recordBlock(state, [
      { kind: 'rental', tokenId: id, owner, renter, payer, expiresAt, paid: price },
      ...settle(state, { token, payer, price }),
    ])
    return { expiresAt, ...made }
  }
}

function renewed(state: ChainState, id: TokenId, renter: Account, days: number): Instant {
  const now = blockTime(state)
  const running = Math.max(state.rentals.get(rentalKey(id, renter)) ?? now, now)
  const expiresAt = instant(running + days * day)
  const limit = instant(now + maxRentalDays * day)
  if (expiresAt > limit) throw new Failure('rental/too-long', { tokenId: id, expiresAt, limit })
  return expiresAt
}

function fork(state: ChainState, agent: Account): Ledger['fork'] {
  return async ({ tokenId: id, price: offered, maxRoyaltyBps: accepted, recipient }) => {
    royaltyShare(accepted)
    requireFunds(state, agent, offered)
    const token = requireToken(state, id)
    const { forkPrice: price = wei(0n), forkRoyaltyBps = 0 } = termsOf(state, token)
    if (price === 0n) throw new Failure('listing/not-for-fork', { tokenId: id })
    requirePayment(id, price, offered)
    const royaltyBps = licence(forkRoyalty(lineOf(state, token), forkRoyaltyBps), {
      ...{ tokenId: id, accepted, recipient },
    })
    const origin = { ...token.record, creator: agent, parent: id }
    const child = record(state, origin, recipient, royaltyBps)
    const terms = { royaltyBps, price, recipient: checksummed(recipient) }
    const made = recordBlock(state, [
      ...mintEvents(state, child),
      { kind: 'fork', tokenId: id, child, forker: agent, ...terms },
      ...settle(state, { token, payer: agent, price }),
    ])
    return { tokenId: child, ...made }
  }
}

type Licensee = {
  readonly tokenId: TokenId
  readonly accepted: number
  readonly recipient: Account
}

/** Returns the share that a fork adds; refuses its total, its recipient or its depth. */
function licence(fork: ForkRoyalty, { tokenId: id, accepted, recipient }: Licensee): number {
  const { totalRoyaltyBps: royaltyBps, effectiveRoyaltyBps, canBeForked } = fork
  if (royaltyBps > accepted) {
    throw new Failure('listing/royalty-changed', { tokenId: id, royaltyBps, accepted })
  }
  requireRecipient(recipient)
  if (!canBeForked) throw new Failure('lineage/too-deep', { tokenId: id, limit: maxLineageDepth })
  return effectiveRoyaltyBps
}

function payRoyalty(state: ChainState, agent: Account): Ledger['payRoyalty'] {
  return async ({ tokenId: id, amount }) => {
    requireFunds(state, agent, amount)
    if (amount === 0n) throw new Failure('royalty/zero', {})
    const { creator: to } = requireToken(state, id).record
    pay(state, agent, to, amount)
    return recordBlock(state, [{ kind: 'royalty', tokenId: id, to, from: agent, amount }])
  }
}

function termsOf(state: ChainState, token: Token): Partial<Terms> {
  return state.terms.get(termsKey(token.record.tokenId, token)) ?? {}
}
