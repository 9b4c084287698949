import {
  Failure,
  fromSeconds,
  type Ledger,
  rentalDays,
  royaltyShare,
  tokenId,
} from '@heirloom/core'
import { encodeFunctionData, parseEventLogs, type TransactionReceipt } from 'viem'
import { memoryMarketplaceAbi, memoryRegistryAbi } from './contracts.generated.ts'
import type { ContractPair } from './pair.ts'
import type { Sender } from './sender.ts'

type Writes = Pick<Ledger, 'mint' | 'list' | 'buy' | 'rent' | 'fork' | 'payRoyalty'>

const abi = memoryMarketplaceAbi

/** Returns the writes of a ledger that lives in a contract pair, paid by the sender's wallet. */
export function writes({ send }: Sender, { registry, marketplace: to }: ContractPair): Writes {
  return {
    mint: async ({ recipient, contentHash, digest, parent }) => {
      if (parent === 0n) throw new Failure('token/not-found', { tokenId: parent })
      const args = [recipient, contentHash, digest, parent ?? 0n] as const
      const data = encodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mint', args })
      const receipt = await send({ operation: 'mint', to: registry, data })
      const minted = parseEventLogs({
        abi: memoryRegistryAbi,
        eventName: 'Minted',
        logs: receipt.logs,
      })
      return { ...hashOf(receipt), tokenId: tokenId(logged(minted, receipt).tokenId) }
    },
    list: async ({ tokenId: id, price, rentalPricePerDay, forkPrice, forkRoyaltyBps }) => {
      const args = [
        id,
        price,
        rentalPricePerDay,
        forkPrice,
        BigInt(royaltyShare(forkRoyaltyBps)),
      ] as const
      const data = encodeFunctionData({ abi, functionName: 'list', args })
      return hashOf(await send({ operation: 'list', to, data }))
    },
    buy: async ({ tokenId: id, price, recipient }) => {
      const data = encodeFunctionData({ abi, functionName: 'buy', args: [id, recipient] })
      return hashOf(await send({ operation: 'buy', to, data, value: price }))
    },
    rent: async ({ tokenId: id, days, price, recipient }) => {
      const args = [id, recipient, BigInt(rentalDays(days))] as const
      const data = encodeFunctionData({ abi, functionName: 'rent', args })
      const receipt = await send({ operation: 'rent', to, data, value: price })
      const rented = parseEventLogs({ abi, eventName: 'Rented', logs: receipt.logs })
      const { expiresAt } = logged(rented, receipt)
      return { ...hashOf(receipt), expiresAt: fromSeconds(Number(expiresAt)) }
    },
    fork: async ({ tokenId: id, price, maxRoyaltyBps, recipient }) => {
      const args = [id, recipient, BigInt(royaltyShare(maxRoyaltyBps))] as const
      const data = encodeFunctionData({ abi, functionName: 'fork', args })
      const receipt = await send({ operation: 'fork', to, data, value: price })
      const forked = parseEventLogs({ abi, eventName: 'Forked', logs: receipt.logs })
      return { ...hashOf(receipt), tokenId: tokenId(logged(forked, receipt).tokenId) }
    },
    payRoyalty: async ({ tokenId: id, amount }) => {
      const data = encodeFunctionData({ abi, functionName: 'payRoyalty', args: [id] })
      return hashOf(await send({ operation: 'payRoyalty', to, data, value: amount }))
    },
  }
}

const hashOf = ({ transactionHash }: TransactionReceipt) => ({ txHash: transactionHash })

function logged<event extends { readonly args: unknown }>(
  [first]: readonly event[],
  { transactionHash }: TransactionReceipt,
): event['args'] {
  if (first === undefined) throw new Error(`Transaction ${transactionHash} logged nothing.`)
  return first.args
}
