import { Failure } from '@heirloom/core'
import type { TransactionReceipt } from 'viem'
import { decodeOrder, encodeAct, findOrder } from '../ledger/acts/index.ts'
import type { OpenOrder } from './open-orders.ts'
import type { Performed, Performer } from './perform.ts'
import { revertReasonOf } from './revert-reason.ts'

type Parts = Pick<Performer, 'chain' | 'sender' | 'orders'>

/**
 * Returns a function that returns the effects of an order, or throws why it failed. A transaction that
 * pays an order reverts when somebody else had it carried out before; then the order succeeded.
 */
export async function confirmOrder(
  parts: Parts,
  { order, receipt }: { readonly order: OpenOrder; readonly receipt: TransactionReceipt },
): Promise<() => Performed> {
  const { chain } = parts
  const own = receipt.status === 'success' ? receipt : undefined
  const settled = own ?? (await findOrder(chain.client, chain.pair, order))
  if (settled !== undefined) {
    const performed = endOrder(parts, order, settled)
    return () => performed
  }
  const { transactionHash: txHash } = receipt
  const call = encodeAct(chain.pair, { kind: 'payOrder', ...order.payment })
  const reason = await revertReasonOf(parts, call)
  return () => {
    throw reason ?? new Failure('transaction/reverted', { txHash })
  }
}

/** Forgets an order that a transaction carried out, and returns its effects. */
export function endOrder(
  { chain, orders }: Pick<Performer, 'chain' | 'orders'>,
  order: OpenOrder,
  receipt: TransactionReceipt,
): Performed {
  const effects = decodeOrder(chain.pair, receipt, order.hash)
  if (effects === undefined) throw new Failure('ledger/unavailable', { operation: 'receipt' })
  orders.end(order, 'settled')
  return { ...effects, act: order.act, txHash: receipt.transactionHash }
}
