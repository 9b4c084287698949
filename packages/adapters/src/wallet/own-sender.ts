import { Failure, wei } from '@heirloom/core'
import { keccak256, type TransactionSerializableEIP1559 } from 'viem'
import {
  broadcast,
  callNode,
  encodeAct,
  gasOfOrder,
  prepareTransaction,
} from '../ledger/acts/index.ts'
import type { WalletChain } from './open-chain.ts'
import { findReceipt, waitForAttempts } from './raise-fees.ts'
import type { Sender, SigningAccount, TransactionSender } from './sender.ts'

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

export declare namespace localSender {
  type Options = Pick<waitForAttempts.Parts, 'timeout' | 'feeLimit'>
}

/**
 * Returns the sender of an account whose key is in this process. The hash of a transaction is known
 * before it is sent, and the same bytes may be sent any number of times.
 */
export function localSender(
  account: SigningAccount,
  { client }: Pick<WalletChain, 'client'>,
  options: localSender.Options,
): TransactionSender {
  const parts = { client, account, ...options }
  return {
    address: account.address,
    signMessage: (input) => account.signMessage(input),
    signTypedData: (data) => account.signTypedData(data),
    send: async (transaction, { onSent }) => {
      const raw = await account.signTransaction(transaction)
      const signed = { txHash: keccak256(raw), raw }
      onSent(signed)
      await broadcast({ client }, signed)
    },
    waitForReceipt: async (sent, onReplace) => {
      const receipt = await findReceipt(client, sent)
      if (receipt !== undefined) return receipt
      // The last sending may not have arrived; a node that has it refuses this one.
      const { txHash, raw, replacements } = sent
      const signed = raw === undefined ? undefined : (replacements?.at(-1) ?? { txHash, raw })
      if (signed !== undefined) await broadcast({ client }, signed).catch(() => undefined)
      return waitForAttempts(parts, sent, onReplace)
    },
  }
}
