import {
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

/** A call of a contract. */
export type WalletCall = {
  readonly to: Hex
  readonly data?: Hex | undefined
  readonly value?: bigint | undefined
}

/** A node, and an account with a key that pays for what smart wallets do. */
export type WalletChain = {
  readonly client: PublicClient
  readonly payer: PrivateKeyAccount
  /** Deploys a contract, and returns its address. */
  readonly deploy: (bytecode: Hex) => Promise<Hex>
  /** Sends a call, and returns its receipt, which says success. */
  readonly send: (call: WalletCall & { readonly gas?: bigint }) => Promise<TransactionReceipt>
}

/** Opens the chain of a server through its `/rpc`, or a node at another path. */
export function walletChainAt(url: string, payer: PrivateKeyAccount, path = '/rpc'): WalletChain {
  const transport = http(`${url}${path}`)
  const client = createPublicClient({ chain: foundry, transport, pollingInterval: 20 })
  const wallet = createWalletClient({ account: payer, chain: foundry, transport })
  const receiptOf = async (hash: Hex) => {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error('The transaction was reverted.')
    return receipt
  }
  return {
    client,
    payer,
    deploy: async (bytecode) => {
      const hash = await wallet.deployContract({ abi: [], bytecode, gas: 12_000_000n })
      const { contractAddress } = await receiptOf(hash)
      if (!contractAddress) throw new Error('The deployment has no address.')
      return contractAddress
    },
    send: async (call) => receiptOf(await wallet.sendTransaction(call)),
  }
}
