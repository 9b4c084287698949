import type { Hex } from '@heirloom/core'
import type { TransactionReceipt } from 'viem'
import {
  type Act,
  type ActResult,
  type ContractPair,
  decodeOrder,
  decodeReceipt,
  logsOfAct,
} from '../ledger/acts/index.ts'

/** The order that was paid, or the act of an account that was sent. */
export type SentEffect = { readonly order: Hex } | { readonly act: Act; readonly by: Hex }

/**
 * Returns the effects of what was sent, as the receipt of a transaction shows them; `undefined` if it did
 * not happen there. A transaction that succeeded proves nothing: whoever named it may have named another,
 * and that of a contract wallet succeeds while the act in it fails.
 */
export function effectsIn(
  pair: ContractPair,
  { status, logs }: Pick<TransactionReceipt, 'status' | 'logs'>,
  sent: SentEffect,
): ActResult | undefined {
  if (status === 'reverted') return undefined
  if ('order' in sent) return decodeOrder(pair, { logs }, sent.order)
  const own = logsOfAct(pair, { ...sent, logs })
  return own && decodeReceipt(pair, { logs: own })
}
