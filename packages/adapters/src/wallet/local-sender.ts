import { keccak256 } from 'viem'
import { broadcast } from '../ledger/acts/index.ts'
import type { SigningAccount } from './account.ts'
import type { WalletChain } from './open-chain.ts'
import { findReceipt, waitForAttempts } from './raise-fees.ts'
import type { TransactionSender } from './sender.ts'

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
