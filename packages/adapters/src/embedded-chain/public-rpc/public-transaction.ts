import {
  type Hex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem'
import { RpcError, rpcCode } from './rpc-error.ts'
import type { Execution } from './bounded-call.ts'

/** What must be known of a transaction before it is written down. */
export type StrangerTransaction = Execution & { readonly gas: bigint; readonly sender: Hex }

/**
 * Reads a signed transaction.
 *
 * @throws `RpcError` when it is none
 */
export async function readTransaction(raw: Hex): Promise<StrangerTransaction> {
  try {
    const { gas = 0n, to, data = '0x' } = parseTransaction(raw)
    const serializedTransaction = raw as TransactionSerialized
    const sender = await recoverTransactionAddress({ serializedTransaction })
    return { gas, to: to ?? undefined, data, sender }
  } catch {
    throw new RpcError(rpcCode.invalidParams, 'Params hold no signed transaction of a known type.')
  }
}
