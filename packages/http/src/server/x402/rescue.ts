import type { EncodedOrder, OrderReads } from '@heirloom/adapters/internal/orders'
import { isFailure, orderActs, tokenId } from '@heirloom/core'
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
