import { broadcast, waitForReceipt } from '@heirloom/adapters/internal/acts'
import { keccak256 } from 'viem'
import type { SigningAccount } from './account.ts'
import type { WalletChain } from './open-chain.ts'
import type { TransactionSender } from './sender.ts'

/**
 * Returns the sender of an account whose key is in this process. The hash of a transaction is known
 * before it is sent, and the same bytes may be sent any number of times.
 */
export function localSender(
  account: SigningAccount,
  { client }: Pick<WalletChain, 'client'>,
  timeout: number | undefined,
): TransactionSender {
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
    waitForReceipt: async ({ txHash, raw }) => {
      // Its first sending may not have arrived; a node that has it refuses this one.
      const isMined = await client.getTransactionReceipt({ hash: txHash }).then(
        () => true,
        () => false,
      )
      if (!isMined && raw !== undefined) {
        await broadcast({ client }, { raw, txHash }).catch(() => undefined)
      }
      return waitForReceipt({ client }, { txHash, timeout })
    },
  }
}
