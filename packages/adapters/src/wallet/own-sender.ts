import { Failure, wei } from '@heirloom/core'
import type { TransactionSerializableEIP1559 } from 'viem'
import { callNode, encodeAct, gasOfOrder, prepareTransaction } from '../ledger/acts/index.ts'
import type { WalletChain } from './open-chain.ts'
import type { Sender, TransactionSender } from './sender.ts'

/**
 * Returns the sender of an account that sends its acts itself, and pays the fees: at most `feeLimit` wei
 * for each.
 */
export const ownSender = (
  sender: TransactionSender,
  { client, pair }: Pick<WalletChain, 'client' | 'pair'>,
  feeLimit: bigint | undefined,
): Sender => ({
  ...sender,
  prepare: async (act) => {
    const call = encodeAct(pair, act)
    const transaction = await prepareTransaction({ client, wallet: sender }, call)
    requireFee(highestCost({ ...transaction, value: 0n }), feeLimit)
    return {
      cost: highestCost(transaction),
      send: (events) => sender.send(transaction, events),
    }
  },
  highestOrderFee: async () => {
    const fees = await callNode('eth_feeHistory', () => client.estimateFeesPerGas())
    return gasOfOrder * fees.maxFeePerGas
  },
  feeOf: ({ gasUsed, effectiveGasPrice }) => gasUsed * effectiveGasPrice,
})

function requireFee(needed: bigint, limit: bigint | undefined): void {
  if (limit === undefined || needed <= limit) return
  throw new Failure('wallet/call-limit', { needed: wei(needed), limit: wei(limit) })
}

/** Returns the most that a transaction can cost, in wei. */
const highestCost = ({
  value = 0n,
  gas = 0n,
  maxFeePerGas = 0n,
}: Pick<TransactionSerializableEIP1559, 'value' | 'gas' | 'maxFeePerGas'>): bigint =>
  value + gas * maxFeePerGas
