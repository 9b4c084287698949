import { failedSettlements } from '@heirloom/adapters/internal/job-queries'
import {
  decodeSettle,
  type EncodedOrder,
  type OrderReads,
} from '@heirloom/adapters/internal/orders'
import type { JobStore } from '@heirloom/adapters/job-store'
import { type Hex, isFailure, orderActs, tokenId } from '@heirloom/core'
import type { RelayActs, RelayClient } from '../relay-acts.ts'
import { isSaltAt } from './paid-act.ts'

type Rescuing = {
  readonly client: RelayClient
  /** Whether the act is carried out where its terms still match; it is refunded otherwise. */
  readonly isWanted: boolean
}

/**
 * Ends an order whose money is at its own address: by its act, or by a refund. Does nothing for less
 * than is worth its gas, and leaves what fails to the next time.
 */
export async function rescue(
  { orders, relay, leastOrder }: rescue.Parts,
  order: EncodedOrder,
  { client, isWanted }: Rescuing,
): Promise<void> {
  const { balance, state, isOpen } = await orders.look(order)
  if (balance === 0n || balance < leastOrder) return
  const isUnpaid = state === 'open' && balance < order.price
  const isCarriedOut = isOpen && isWanted && (await isCurrent(orders, order))
  // The chain lets a stranger refund neither a part of a price nor what may be carried out.
  if (isUnpaid || (isOpen && !isCarriedOut)) return
  const act = isOpen
    ? ({ kind: 'settle', settlement: { order } } as const)
    : ({ kind: 'refund', refund: { order, asset: order.asset } } as const)
  await relay(act, client).catch((error: unknown) => {
    if (!isFailure(error)) throw error
  })
}

/**
 * Returns whether an order is still one of this moment: after another order, at another price, rented or
 * bought the same, it would do so once more.
 */
async function isCurrent(orders: OrderReads, order: EncodedOrder): Promise<boolean> {
  const act = orderActs[order.act]
  if (act !== 'rent' && act !== 'buy') return true
  const standing = await orders.standing(tokenId(order.tokenId), order.recipient)
  return isSaltAt(act === 'buy' ? standing.transferCount : standing.expiresAt, order.salt)
}

export declare namespace rescue {
  type Parts = {
    readonly orders: OrderReads
    readonly relay: RelayActs
    /** In millionths of a dollar. */
    readonly leastOrder: bigint
  }
}

/**
 * The time between two sweeps, and how far back each looks, in milliseconds: beyond the deadline that a
 * server gives an order, after which its money may be given back whatever the terms are.
 */
const times = { between: 600_000, back: 8 * 86_400_000 }

/** The name that the limits of a sweep count for. */
const client = { name: 'sweep', key: undefined }

/**
 * Ends orders whose settlement failed, at the start and every ten minutes: a payment that somebody used
 * early is carried out where its terms match again, and given back otherwise. The first sweep looks at
 * all that is known, because the server may have been down for longer than the others look back.
 */
export function sweepOrders(parts: sweepOrders.Parts): { readonly close: () => Promise<void> } {
  const { store, now, onTrouble } = parts
  let since = 0
  const sweep = async () => {
    const seen = new Set<Hex>()
    for await (const data of failedSettlements(store, since)) {
      if (isClosed) return
      const { order } = decodeSettle(data)
      const { orderHash } = parts.orders.locate(order)
      // An order that failed several times is looked at once.
      if (seen.has(orderHash)) continue
      seen.add(orderHash)
      await rescue(parts, order, { client, isWanted: true })
    }
    since = now() - times.back
  }
  let isClosed = false
  let running = sweep().catch(onTrouble)
  const timer = setInterval(() => {
    running = running.then(sweep).catch(onTrouble)
  }, times.between)
  timer.unref()
  return {
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}

export declare namespace sweepOrders {
  type Parts = rescue.Parts & {
    readonly store: JobStore
    /** Returns the time, in milliseconds since 1970. */
    readonly now: () => number
    readonly onTrouble: (error: unknown) => void
  }
}
