import type { Hex } from '@heirloom/core'
import { type OrderStore, ordersInMemory, type StoredOrder } from './open-orders.ts'
import type { Performed, WalletAct } from './performer.ts'
import type { Sent } from './sender.ts'
import { type SpendStore, spendingInMemory } from './spend-limits.ts'

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

/** Creates a store that ends with the process. */
export const memoryStore = (): WalletStore => ({
  spending: spendingInMemory(),
  orders: ordersInMemory(),
  acts: actsInMemory(),
})

/** An act that was signed and may have been sent, as it is stored. */
export type StoredSent = Omit<Sent, 'order'> & {
  /** The order that it pays. */
  readonly order?: StoredOrder
}

/**
 * An act with an idempotency key: signed and perhaps sent, performed, or requested of a wallet that
 * sends by itself and has not reported its hash.
 */
export type StoredAct = {
  /** The name and the input of the act. */
  readonly fingerprint: string
} & (
  | {
      readonly act: WalletAct
      readonly sent: StoredSent
      /** The time of the signature, in milliseconds since 1970. */
      readonly signedAt: number
      readonly performed?: never
      readonly requested?: never
    }
  | { readonly performed: Performed; readonly requested?: never }
  | {
      /** The mark of this request, which no other has. */
      readonly requested: string
      readonly performed?: never
    }
)

/** The acts of a wallet by their idempotency keys. */
export type ActStore = {
  readonly get: (key: string) => StoredAct | undefined
  /** Stores an act; if its key has one already, that one stays and `false` is returned. */
  readonly add: (key: string, act: StoredAct) => boolean
  /** Stores an act in place of what its key had. */
  readonly put: (key: string, act: StoredAct) => void
  /** Stores an act in place of one with the same key and mark, if it is there still. */
  readonly replace: (key: string, act: StoredAct) => void
  /** Removes the act with a key and a mark, unless it was performed. */
  readonly remove: (key: string, mark: string) => void
}

/** Returns the mark by which an act may be removed: its hash, or that of the request; none once it was performed. */
export function markOf(act: StoredAct): string | undefined {
  if (act.requested !== undefined) return act.requested
  return act.performed === undefined ? act.sent.txHash : undefined
}

/** The most keys that are stored in memory; the oldest is dropped first. */
const mostKeys = 10_000

/** Creates a store of acts that ends with the process. */
export function actsInMemory(): ActStore {
  const acts = new Map<string, StoredAct>()
  const put = (key: string, act: StoredAct) => {
    const [oldest] = acts.keys()
    if (!acts.has(key) && acts.size >= mostKeys && oldest !== undefined) acts.delete(oldest)
    acts.set(key, act)
  }
  return {
    get: (key) => acts.get(key),
    add: (key, act) => {
      if (acts.has(key)) return false
      put(key, act)
      return true
    },
    put,
    replace: (key, act) => {
      const stored = acts.get(key)
      if (stored !== undefined && markOf(stored) === markOf(act)) acts.set(key, act)
    },
    remove: (key, mark) => {
      const stored = acts.get(key)
      if (stored !== undefined && markOf(stored) === mark) acts.delete(key)
    },
  }
}
