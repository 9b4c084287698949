import { isFailure } from '@heirloom/core'
import { isAddressEqual, type PublicClient } from 'viem'
import { gasFor } from '../../platform/gas-of-purchase.ts'
import type { ContractPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'

/**
 * Reads the accounts with code that a purchase of a token pays, and the most gas that it may use for
 * them; no accounts where the token does not exist.
 *
 * @throws `ledger/unavailable`
 */
export async function readPurchase(
  client: PublicClient,
  { registry, marketplace }: ContractPair,
  id: bigint,
) {
  const market = { address: marketplace, abi: memoryMarketplaceAbi } as const
  const record = { address: registry, abi: memoryRegistryAbi, args: [id] } as const
  const read = async () => {
    const [[creators], [owner], creator, [, , depth]] = await Promise.all([
      client.readContract({ ...market, functionName: 'royaltySplitOf', args: [id, 1n] }),
      client.readContract({ ...record, functionName: 'holdingOf' }),
      client.readContract({ ...record, functionName: 'creatorOf' }),
      client.readContract({ ...record, functionName: 'sourceOf' }),
    ])
    const paid = [...creators, owner]
    const any = [...paid, creator]
    const codes = await Promise.all(any.map((address) => client.getCode({ address })))
    const of = any.filter((_, at) => codes[at] !== undefined)
    const withCode = paid.filter((it) => of.some((other) => isAddressEqual(it, other))).length
    return { of, gas: gasFor({ depth: Number(depth), payees: paid.length, withCode }) }
  }
  try {
    return await callNode('royaltySplitOf', read)
  } catch (error) {
    if (isFailure(error, 'token/not-found')) return { of: [] }
    throw error
  }
}
