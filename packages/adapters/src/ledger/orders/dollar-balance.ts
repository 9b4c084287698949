import { type Dollars, dollars } from '@heirloom/core'
import { erc20Abi, type Hex, type PublicClient } from 'viem'
import { readNumber } from '../read-number.ts'

/**
 * Returns the balance of an account in dollars.
 *
 * @throws `ledger/unavailable`
 */
export const dollarBalanceOf = async (
  client: Pick<PublicClient, 'request'>,
  dollar: Hex,
  holder: Hex,
): Promise<Dollars> =>
  dollars(await readNumber(client, { address: dollar, abi: erc20Abi, name: 'balanceOf' }, [holder]))
