import type { OrderPayment, PlacedOrder } from '@heirloom/adapters/internal/acts'
import type { Account, OrderTerms, TokenId } from '@heirloom/core'
import { bigintJson } from '../api/bigint-json.ts'
import type { Reservation } from './spend-limits.ts'

/** An act in dollars that a wallet is to perform; the account itself gets refunds. */
export type OrderAct = OrderTerms & {
  readonly kind: 'order'
  readonly tokenId: TokenId
  readonly recipient: Account
}

/** An order whose payment is signed, and which may be carried out until its deadline. */
export type OpenOrder = PlacedOrder & {
  readonly act: OrderAct
  readonly payment: OrderPayment
  /** The price, which counts as spent as long as the order may be carried out. */
  readonly reservation: Reservation
}

/**
 * The orders that left the wallet, and of which it does not know that they ended. Whoever has one may
 * carry it out until its deadline, so the same act uses it again, and pays once. A rental or a fork at
 * another price is the same act: its seller could offer one price after the other, and have both carried
 * out. Of two purchases of a token the second one fails.
 */
export type OpenOrders = {
  /** Returns the order of an act that is still open, on these terms or, of a rental or a fork, on others. */
  readonly find: (act: OrderAct) => OpenOrder | undefined
  readonly add: (order: OpenOrder) => void
  /** Forgets an order that was carried out, or never can be. */
  readonly end: (order: OpenOrder, outcome: 'settled' | 'expired') => void
  /** Returns the orders whose deadline has passed at a time in seconds since 1970. */
  readonly expired: (time: number) => readonly OpenOrder[]
}

function keyOf({ price, maxRoyaltyBps, ...gift }: OrderAct): string {
  const isRepeatable = gift.act === 'rent' || gift.act === 'fork'
  return JSON.stringify(isRepeatable ? gift : { ...gift, price, maxRoyaltyBps }, bigintJson)
}

/** Creates the list of open orders. */
export function createOpenOrders(): OpenOrders {
  const orders = new Map<string, OpenOrder>()
  return {
    find: (act) => orders.get(keyOf(act)),
    add: (order) => void orders.set(keyOf(order.act), order),
    end: (order, outcome) => {
      if (orders.get(keyOf(order.act)) === order) orders.delete(keyOf(order.act))
      order.reservation.settle(outcome === 'settled' ? order.act.price : 0n)
    },
    expired: (time) =>
      [...orders.values()].filter(({ payment }) => Number(payment.order.deadline) < time),
  }
}
