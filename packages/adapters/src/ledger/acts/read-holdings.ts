import { type Account, type Dollars, dollars, type Wei, wei } from '@heirloom/core'
import type { PublicClient } from 'viem'
import type { ContractPair, DeployedPair } from '../contract-pair.ts'
import { memoryRegistryAbi as abi, memoryMarketplaceAbi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'
import { dollarBalanceOf, readNumber } from '../view.ts'

/** All that an account has on a chain of a contract pair. */
export type Holdings = {
  readonly balance: Wei
  /** The amount that it may withdraw from the marketplace. */
  readonly credit: Wei
  /** The number of its tokens. */
  readonly tokens: bigint
  /** The same in dollars; absent where the pair has none. */
  readonly dollars: { readonly balance: Dollars; readonly credit: Dollars } | undefined
}

/** Reads what an account has. @throws `ledger/unavailable` */
export async function readHoldings(
  client: PublicClient,
  contracts: ContractPair & Pick<DeployedPair, 'dollar'>,
  address: Account,
): Promise<Holdings> {
  const registry = { address: contracts.registry, abi, name: 'balanceOf' }
  const [balance, credit, tokens] = await Promise.all([
    callNode('eth_getBalance', () => client.getBalance({ address })),
    creditOf(client, contracts, address),
    readNumber(client, registry, [address]),
  ])
  const held = { balance: wei(balance), credit, tokens }
  if (contracts.dollar === undefined) return { ...held, dollars: undefined }
  const [dollars, inCredit] = await Promise.all([
    dollarBalanceOf(client, contracts.dollar, address),
    dollarCreditOf(client, contracts, address),
  ])
  return { ...held, dollars: { balance: dollars, credit: inCredit } }
}

/**
 * Returns the credit of an account at the marketplace: payments that it could not receive.
 *
 * @throws `ledger/unavailable`
 */
export const creditOf = async (
  client: PublicClient,
  { marketplace: address }: ContractPair,
  account: Account,
): Promise<Wei> =>
  wei(await readNumber(client, { address, abi: memoryMarketplaceAbi, name: 'creditOf' }, [account]))

/**
 * Returns the credit of an account at the marketplace in dollars.
 *
 * @throws `ledger/unavailable`
 */
export const dollarCreditOf = async (
  client: PublicClient,
  { marketplace: address }: ContractPair,
  account: Account,
): Promise<Dollars> =>
  dollars(
    await readNumber(client, { address, abi: memoryMarketplaceAbi, name: 'dollarCreditOf' }, [
      account,
    ]),
  )
