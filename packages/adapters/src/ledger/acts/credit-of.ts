import { type Account, type Dollars, dollars, type Wei, wei } from '@heirloom/core'
import type { PublicClient } from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi as abi } from '../contracts.generated.ts'
import { readNumber } from '../read-number.ts'

/**
 * Returns the credit of an account at the marketplace: payments that it could not receive.
 *
 * @throws `ledger/unavailable`
 */
export const creditOf = async (
  client: PublicClient,
  { marketplace: address }: ContractPair,
  account: Account,
): Promise<Wei> => wei(await readNumber(client, { address, abi, name: 'creditOf' }, [account]))

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
  dollars(await readNumber(client, { address, abi, name: 'dollarCreditOf' }, [account]))
