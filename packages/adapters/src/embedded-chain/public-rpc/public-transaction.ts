import {
  type Hex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem'
import type { Execution } from './bounded-call.ts'
import { RpcError, rpcCode } from './rpc-error.ts'

/** The fields of a transaction that are checked before it is written to the journal. */
export type PublicTransaction = Execution & {
  readonly gas: bigint
  readonly sender: Hex
  /** Whether it gives accounts code before it is executed (EIP-7702). */
  readonly delegates: boolean
}

/**
 * Decodes a signed transaction and recovers its sender.
 *
 * @throws `RpcError` when `raw` is no signed transaction
 */
export async function readTransaction(raw: Hex): Promise<PublicTransaction> {
  try {
    const { gas = 0n, to, data = '0x', type } = parseTransaction(raw)
    const serializedTransaction = raw as TransactionSerialized
    const sender = await recoverTransactionAddress({ serializedTransaction })
    return { gas, to: to ?? undefined, data, sender, delegates: type === 'eip7702' }
  } catch {
    throw new RpcError(rpcCode.invalidParams, 'Params hold no signed transaction of a known type.')
  }
}
