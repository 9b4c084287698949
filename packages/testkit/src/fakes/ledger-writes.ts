import {
  type Account,
  currencyOf,
  Failure,
  type Ledger,
  listableTerms,
  offersNothing,
  rentalDays,
  royaltyShare,
  type Terms,
  type TokenId,
  wei,
} from '@heirloom/core'
import {
  type ChainEvent,
  type ChainState,
  checksummed,
  handOver,
  memoryDollar,
  pay,
  recordBlock,
  rentalKey,
  requireContent,
  requireFunds,
  requireGas,
  requirePayment,
  requireRecipient,
  requireToken,
  settle,
  termsKey,
} from './chain-state.ts'
import { giveSign } from './heirs.ts'
import type { Writes } from './idempotent-writes.ts'
import { license, mintEvents, record, renewed, requireOffer } from './market.ts'

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
    if (checksummed(recipient) === agent) giveSign(state, agent)
    return {
      tokenId: minted,
      contentHash,
      digest,
      acceptedAt: state.clock.now(),
      ...recordBlock(state, mintEvents(state, minted)),
    }
  }
}

function list(state: ChainState, agent: Account): Ledger['list'] {
  return async ({ tokenId: id, ...offer }) => {
    royaltyShare(offer.forkRoyaltyBps)
    // A wallet checks prices in dollars before it encodes the call.
    if (currencyOf(offer) === 'dollar') listableTerms(offer)
    const token = requireToken(state, id)
    const { owner } = token
    if (owner !== agent) {
      throw new Failure('listing/not-owner', { tokenId: id, owner, account: agent })
    }
    const terms = listableTerms(offer)
    requireGas(state, agent)
    if (isEmpty(terms)) state.terms.delete(termsKey(id, token))
    else state.terms.set(termsKey(id, token), terms)
    return recordBlock(state, [listingEvent(id, owner, terms)])
  }
}

function listingEvent(id: TokenId, seller: Account, { dollars, ...terms }: Terms): ChainEvent {
  if (dollars === undefined) return { kind: 'listing', tokenId: id, seller, ...terms }
  const { forkRoyaltyBps } = terms
  const asset = memoryDollar
  return { kind: 'dollar-listing', tokenId: id, seller, asset, ...dollars, forkRoyaltyBps }
}

function isEmpty(terms: Terms): boolean {
  return offersNothing(terms) && terms.dollars === undefined && terms.forkRoyaltyBps === 0
}

function buy(state: ChainState, agent: Account): Ledger['buy'] {
  return async ({ tokenId: id, price: offered, recipient }) => {
    requireFunds(state, agent, offered)
    const token = requireToken(state, id)
    const price = wei(requireOffer(state, token, 'price', 'native'))
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
    const perDay = requireOffer(state, token, 'rentalPricePerDay', 'native')
    const price = wei(perDay * BigInt(days))
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

function fork(state: ChainState, agent: Account): Ledger['fork'] {
  return async ({ tokenId: id, price: offered, maxRoyaltyBps: accepted, recipient }) => {
    royaltyShare(accepted)
    requireFunds(state, agent, offered)
    const token = requireToken(state, id)
    const price = wei(requireOffer(state, token, 'forkPrice', 'native'))
    requirePayment(id, price, offered)
    const { child, royaltyBps } = license(state, token, { creator: agent, accepted, recipient })
    const terms = { royaltyBps, price, recipient: checksummed(recipient) }
    const made = recordBlock(state, [
      ...mintEvents(state, child),
      { kind: 'fork', tokenId: id, child, forker: agent, ...terms },
      ...settle(state, { token, payer: agent, price }),
    ])
    return { tokenId: child, ...made }
  }
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
