import type { Account, Hex, OrderTerms, TokenId } from '@heirloom/core'
import type { OrderPayment, PlacedOrder } from '../ledger/acts/index.ts'
import { type Reservation, reservationOf, type SpendStore } from './spend-limits.ts'

/** An act in dollars that a wallet is to perform; the account itself gets refunds. */
export type OrderAct = OrderTerms & {
  readonly kind: 'order'
  readonly tokenId: TokenId
  readonly recipient: Account
}

/** The act of an order and its receiver, at any price. */
export type OrderGift = Pick<OrderAct, 'act' | 'tokenId' | 'recipient' | 'days'>

/** An order whose payment is signed, as it is stored. */
export type StoredOrder = PlacedOrder & {
  readonly act: OrderAct
  readonly payment: OrderPayment
  /** The entry of its price in the count of what the wallet spent. */
  readonly spendingId: number | undefined
  /** Whether it was carried out after everybody had stopped to wait for it. */
  readonly isLate: boolean
}

/** An order whose payment is signed, and which may be carried out until the payment is invalid. */
export type OpenOrder = Omit<StoredOrder, 'spendingId' | 'isLate'> & {
  /** The price, which counts as spent as long as the order may be carried out. */
  readonly reservation: Reservation
}

/**
 * The orders that left the wallet, and whose end the wallet does not know. Anybody who has one may carry
 * it out until its payment is invalid, so the same act uses it again, and pays once. A rental or a fork at another
 * price is the same act: its seller could offer one price after the other, and have both carried out. Of
 * two purchases of a token the second one fails.
 */
export type OpenOrders = {
  /** Returns the order of an act that may be open, on these terms or, of a rental or a fork, on others. */
  readonly find: (act: OrderAct) => OpenOrder | undefined
  /** Returns the orders that give something, on any terms. */
  readonly findGifts: (gift: OrderGift) => readonly OpenOrder[]
  /** Stores an order; returns whether there is no other of the same act. */
  readonly add: (order: OpenOrder) => boolean
  /**
   * Forgets an order that was carried out, or never can be. One that was carried out with nobody waiting
   * (`late`) is stored for a day: the next act like it is this one.
   */
  readonly end: (order: OpenOrder, outcome: 'settled' | 'expired' | 'late') => void
  /**
   * Returns the orders that cannot be paid any more, at a time in seconds since 1970, but for those that
   * ended late.
   */
  readonly expired: (time: number) => readonly OpenOrder[]
  /** Forgets the orders that ended late, a day after they could be paid. */
  readonly forgetLate: (time: number) => void
}

/** The time that an order is stored which was carried out with nobody waiting, in seconds. */
const lateTime = 86_400

function keyOf({ price, maxRoyaltyBps, ...gift }: OrderAct): string {
  const isRepeatable = gift.act === 'rent' || gift.act === 'fork'
  return printKey(isRepeatable ? gift : { ...gift, price, maxRoyaltyBps })
}

const printKey = (of: Readonly<Record<string, unknown>>) =>
  JSON.stringify(
    Object.entries(of)
      .map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value])
      .sort(),
  )

const giftKey = ({ act, tokenId, recipient, days }: OrderGift) =>
  printKey({ act, tokenId, recipient, days })

/** Opens the list of open orders in a store. */
export function createOpenOrders({
  orders,
  spending,
}: {
  readonly orders: OrderStore
  readonly spending: SpendStore
}): OpenOrders {
  const open = (order: StoredOrder) => openOrder(order, spending)
  return {
    find: (act) => {
      const stored = orders.get(keyOf(act))
      return stored && open(stored)
    },
    findGifts: (gift) =>
      orders
        .all()
        .filter(({ act }) => giftKey(act) === giftKey(gift))
        .map(open),
    add: (order) => orders.add(keyOf(order.act), storedOf(order, false)),
    end: (order, outcome) => {
      const key = keyOf(order.act)
      if (outcome === 'late') orders.replace(key, storedOf(order, true))
      else orders.remove(key, order.hash)
      order.reservation.settle(outcome === 'expired' ? 0n : order.act.price)
    },
    expired: (time) =>
      orders
        .all()
        .filter((it) => !it.isLate && isInvalid(it, time))
        .map(open),
    forgetLate: (time) => {
      const old = orders.all().filter((it) => it.isLate && isInvalid(it, time - lateTime))
      for (const { act, hash } of old) orders.remove(keyOf(act), hash)
    },
  }
}

/** Returns a stored order with its entry in the count of what the wallet spent. */
export const openOrder = (
  { spendingId, isLate: _, ...order }: StoredOrder,
  spending: SpendStore,
): OpenOrder => ({ ...order, reservation: reservationOf(spending, spendingId) })

/** Returns an order as it is stored. */
export const storedOf = ({ reservation, ...order }: OpenOrder, isLate: boolean): StoredOrder => ({
  ...order,
  spendingId: reservation.id,
  isLate,
})

/** Returns whether the payment of an order is invalid, at a time in seconds since 1970. */
export const isInvalid = (
  { payment: { validBefore } }: { readonly payment: Pick<OrderPayment, 'validBefore'> },
  time: number,
): boolean => validBefore <= BigInt(time)

/** The orders that a wallet signed, each under the key of what it gives. */
export type OrderStore = {
  readonly all: () => readonly StoredOrder[]
  readonly get: (key: string) => StoredOrder | undefined
  /** Stores an order; one with another hash under its key stays, and `false` is returned. */
  readonly add: (key: string, order: StoredOrder) => boolean
  /** Replaces the order of the same key and hash, if it is there still. */
  readonly replace: (key: string, order: StoredOrder) => void
  /** Removes the order with a key and a hash. */
  readonly remove: (key: string, hash: Hex) => void
}

export function ordersInMemory(): OrderStore {
  const orders = new Map<string, StoredOrder>()
  return {
    all: () => [...orders.values()],
    get: (key) => orders.get(key),
    add: (key, order) => {
      if ((orders.get(key)?.hash ?? order.hash) !== order.hash) return false
      orders.set(key, order)
      return true
    },
    replace: (key, order) => {
      if (orders.get(key)?.hash === order.hash) orders.set(key, order)
    },
    remove: (key, hash) => {
      if (orders.get(key)?.hash === hash) orders.delete(key)
    },
  }
}
