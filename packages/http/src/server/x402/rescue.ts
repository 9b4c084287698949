import type { EncodedOrder, OrderReads } from '@heirloom/adapters/internal/orders'
import { isFailure } from '@heirloom/core'
import type { RelayActs, RelayClient } from '../relay-acts.ts'

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
  // The chain lets a stranger refund neither a part of a price nor what may be carried out.
  if (isUnpaid || (isOpen && !isWanted)) return
  const act = isOpen
    ? ({ kind: 'settle', settlement: { order } } as const)
    : ({ kind: 'refund', refund: { order, asset: order.asset } } as const)
  await relay(act, client).catch((error: unknown) => {
    if (!isFailure(error)) throw error
  })
}

export declare namespace rescue {
  type Parts = {
    readonly orders: OrderReads
    readonly relay: RelayActs
    /** In millionths of a dollar. */
    readonly leastOrder: bigint
  }
}
