import type { Currency, Hex } from '@heirloom/core'
import { type ActStore, actsInMemory } from './act-store.ts'
import type { StoredOrder } from './open-orders.ts'

/** The account of a wallet, its chain, and the marketplace that carries out its orders. */
export type WalletName = {
  readonly chainId: number
  readonly address: Hex
  readonly marketplace: Hex
}

/**
 * The count of what a wallet spends, the orders that it signed, and its acts with idempotency keys: in
 * memory, or in a file that outlives the process and that other processes of the same wallet share. Each
 * change is durable when its call returns.
 */
export type WalletStore = {
  readonly spending: SpendStore
  readonly orders: OrderStore
  readonly acts: ActStore
}

/** An amount to be counted against the limit of a day, unless that would be more. */
export type Spending = {
  readonly currency: Currency
  /** The day (UTC), in days since 1970. */
  readonly day: number
  readonly needed: bigint
  /** The limit of the day; none when absent. */
  readonly limit: bigint | undefined
}

/**
 * The amounts that a wallet has spent on its newest day. Days do not go back: with a clock that was set
 * back, acts count for the newest day that was counted before.
 */
export type SpendStore = {
  /** Returns the amount that counts for a day, or for the newest one after it. */
  readonly spentOn: (currency: Currency, day: number) => bigint
  /**
   * Counts an amount, if it is within the limit together with all others, of other processes too.
   * Returns the id of the entry, or what was spent where that leaves too little.
   */
  readonly reserve: (spending: Spending) => { readonly id: number } | { readonly spent: bigint }
  /** Replaces the amount of an entry, once. */
  readonly settle: (id: number, amount: bigint) => void
}

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

/** Creates a store that ends with the process. */
export const memoryStore = (): WalletStore => ({
  spending: spendingInMemory(),
  orders: ordersInMemory(),
  acts: actsInMemory(),
})

/** Creates a count that ends with the process. */
export function spendingInMemory(): SpendStore {
  const newest = new Map<Currency, { readonly day: number; spent: bigint }>()
  const entries = new Map<number, { readonly on: { spent: bigint }; readonly amount: bigint }>()
  let lastId = 0
  const dayOf = (currency: Currency, day: number) => {
    const counted = newest.get(currency)
    return counted !== undefined && counted.day >= day ? counted : { day, spent: 0n }
  }
  return {
    spentOn: (currency, day) => dayOf(currency, day).spent,
    reserve: ({ currency, day, needed, limit }) => {
      const on = dayOf(currency, day)
      if (limit !== undefined && on.spent + needed > limit) return { spent: on.spent }
      on.spent += needed
      newest.set(currency, on)
      entries.set(++lastId, { on, amount: needed })
      return { id: lastId }
    },
    settle: (id, amount) => {
      const entry = entries.get(id)
      if (entry === undefined) return
      entry.on.spent += amount - entry.amount
      entries.delete(id)
    },
  }
}

function ordersInMemory(): OrderStore {
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
