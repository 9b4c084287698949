import { type Account, type Dollars, dollars, type Wei, wei } from '@heirloom/core'
import type { PublicClient } from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'
import { viewOf } from '../view.ts'

/**
 * Returns the credit of an account at the marketplace, in wei: payments that it could not receive.
 *
 * @throws `ledger/unavailable`
 */
export async function creditOf(
  client: PublicClient,
  { marketplace: address }: ContractPair,
  account: Account,
): Promise<Wei> {
  const read = viewOf(client, { address, abi: memoryMarketplaceAbi, name: 'creditOf' })
  return wei(BigInt((await callNode('creditOf', () => read([account])))(0)))
}

/**
 * Returns the credit of an account at the marketplace in dollars: payments that it could not receive.
 *
 * @throws `ledger/unavailable`
 */
export async function dollarCreditOf(
  client: PublicClient,
  { marketplace: address }: ContractPair,
  account: Account,
): Promise<Dollars> {
  const read = viewOf(client, { address, abi: memoryMarketplaceAbi, name: 'dollarCreditOf' })
  return dollars(BigInt((await callNode('dollarCreditOf', () => read([account])))(0)))
}
