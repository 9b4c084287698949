import {
  type Account,
  claimsOn,
  dollars,
  Failure,
  type Hash,
  hash,
  type Order,
  rentalDays,
  type Split,
  splitPrice,
  type TokenId,
  toSeconds,
  wei,
} from '@heirloom/core'
import { keccak256, toHex } from 'viem'
import type { PaidOrder } from '../harness.ts'
import {
  blockTime,
  type ChainEvent,
  type ChainState,
  checksummed,
  dollarsOf,
  handOver,
  lineOf,
  memoryDollar,
  payDollars,
  recordBlock,
  rentalKey,
  requireGas,
  requireRecipient,
  requireToken,
  type Token,
} from './chain-state.ts'
import { license, mintEvents, renewed, requireOffer } from './market.ts'

/** An order and the account that pays it, which may be the address of the order. */
export type Purchase = { readonly order: Order; readonly payer: Account; readonly orderHash: Hash }

/** An order that was carried out in memory: its events before the royalties, and a fork's token. */
type Carried = { readonly events: readonly ChainEvent[]; readonly tokenId?: TokenId }

/**
 * Returns a function that pays an order with the dollars of a wallet, and carries it out; checks in
 * the order of the contracts before it writes.
 */
export function payOrder(state: ChainState, payer: Account): (order: Order) => Promise<PaidOrder> {
  return async (order) => {
    const orderHash = hashOf(order)
    requireDollars(state, { order, payer, orderHash })
    requireOpen(state, { order, orderHash })
    tryOut(state, { order, payer, orderHash })
    requireGas(state, payer)
    return carryOut(state, { order, payer, orderHash })
  }
}

/**
 * Requires that the act of an order would succeed, and changes nothing.
 *
 * @throws the failures of the act
 */
export function tryOut(state: ChainState, purchase: Purchase): void {
  const [tokens, rentals] = [new Map(state.tokens), new Map(state.rentals)]
  acts[purchase.order.act]({ ...state, tokens, rentals }, purchase)
}

/** Carries out an order that is open and was tried out. */
export function carryOut(state: ChainState, purchase: Purchase): PaidOrder {
  const { events, tokenId } = acts[purchase.order.act](state, purchase)
  state.closedOrders.set(purchase.orderHash, 'settled')
  const { txHash } = recordBlock(state, [...events, ...settle(state, purchase)])
  return tokenId === undefined ? { txHash } : { txHash, tokenId }
}

/** Returns the hash of an order, which only has to differ from those of all others. */
export function hashOf(order: Order): Hash {
  const members = Object.entries(order).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return hash(keccak256(toHex(members.flat().join(' ').toLowerCase())))
}

/** Refuses a payer with too few dollars. */
export function requireDollars(state: ChainState, { order, payer, orderHash }: Purchase): void {
  const { price } = order
  const paid = dollarsOf(state, payer)
  if (paid < price) throw new Failure('order/short', { orderHash, price, paid })
}

/** Refuses an order that is closed, late or in another dollar. */
export function requireOpen(
  state: ChainState,
  { order, orderHash }: Omit<Purchase, 'payer'>,
): void {
  const { asset, deadline } = order
  const closed = state.closedOrders.get(orderHash)
  if (closed !== undefined) throw new Failure('order/closed', { orderHash, state: closed })
  if (isLate(state, order)) throw new Failure('order/expired', { orderHash, deadline })
  if (checksummed(asset) !== memoryDollar) {
    throw new Failure('order/foreign-asset', { asset, dollar: memoryDollar })
  }
}

/** Returns whether the deadline of an order has passed. */
export const isLate = (state: ChainState, { deadline }: Order): boolean =>
  toSeconds(blockTime(state)) > toSeconds(deadline)

const acts: {
  readonly [act in Order['act']]: (state: ChainState, purchase: Purchase) => Carried
} = { buy, rent, fork, royalty }

function buy(state: ChainState, { order, payer, orderHash }: Purchase): Carried {
  const { tokenId, price } = order
  const token = requireToken(state, tokenId)
  requirePrice(order, requireOffer(state, token, 'price', 'dollar'))
  requireRecipient(order.recipient)
  const [seller, recipient] = [token.owner, checksummed(order.recipient)]
  const paid = { payer, price, asset: memoryDollar, orderHash }
  return {
    events: [
      { kind: 'transfer', tokenId, from: seller, to: recipient },
      { kind: 'dollar-sale', tokenId, seller, recipient, ...paid },
    ],
  }
}

function rent(state: ChainState, { order, payer, orderHash }: Purchase): Carried {
  const { tokenId, days, price: paid } = order
  rentalDays(days)
  requireRecipient(order.recipient)
  const token = requireToken(state, tokenId)
  const perDay = requireOffer(state, token, 'rentalPricePerDay', 'dollar')
  requirePrice(order, perDay * BigInt(days))
  const expiresAt = renewed(state, tokenId, order.recipient, days)
  state.rentals.set(rentalKey(tokenId, order.recipient), expiresAt)
  const rental = { owner: token.owner, renter: checksummed(order.recipient), expiresAt, paid }
  const asset = memoryDollar
  return {
    events: [{ kind: 'dollar-rental', tokenId, payer, asset, orderHash, ...rental }],
  }
}

function fork(state: ChainState, { order, payer, orderHash }: Purchase): Carried {
  const { tokenId, price, maxRoyaltyBps: accepted } = order
  const token = requireToken(state, tokenId)
  requirePrice(order, requireOffer(state, token, 'forkPrice', 'dollar'))
  const recipient = checksummed(order.recipient)
  const licensee = { creator: recipient, accepted, recipient: order.recipient }
  const { child, royaltyBps } = license(state, token, licensee)
  const terms = { child, recipient, royaltyBps, payer, price, asset: memoryDollar, orderHash }
  return {
    tokenId: child,
    events: [...mintEvents(state, child), { kind: 'dollar-fork', tokenId, ...terms }],
  }
}

function royalty(state: ChainState, { order }: Purchase): Carried {
  if (order.price === 0n) throw new Failure('royalty/zero', {})
  requireToken(state, order.tokenId)
  return { events: [] }
}

function requirePrice({ tokenId, price: offered }: Order, amount: bigint): void {
  const price = dollars(amount)
  if (offered === price) return
  throw new Failure('listing/price-changed', { tokenId, price, offered, currency: 'dollar' })
}

/** Pays the price of an order that was carried out; returns the events of its royalties. */
function settle(state: ChainState, { order, payer, orderHash }: Purchase): readonly ChainEvent[] {
  const token = requireToken(state, order.tokenId)
  const { royalties, rest } = sharesOf(state, token, order)
  if (order.act === 'buy') handOver(state, order.tokenId, token, order.recipient)
  payDollars(state, payer, token.owner, dollars(rest))
  return royalties.map(({ to, amount, tokenId }) => {
    payDollars(state, payer, to, dollars(amount))
    const paid = { from: payer, to, amount: dollars(amount), asset: memoryDollar, orderHash }
    return { kind: 'dollar-royalty', tokenId, ...paid }
  })
}

function sharesOf(state: ChainState, token: Token, { act, tokenId, price }: Order): Split {
  // The arithmetic of a split is the same in every currency.
  if (act !== 'royalty') return splitPrice(wei(price), claimsOn(lineOf(state, token)))
  return { royalties: [{ to: token.record.creator, amount: wei(price), tokenId }], rest: wei(0n) }
}
