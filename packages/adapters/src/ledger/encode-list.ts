import {
  type DollarPrices,
  listableTerms,
  offersNothing,
  royaltyShare,
  type Terms,
} from '@heirloom/core'
import { encodeFunctionData, type Hex } from 'viem'
import { memoryMarketplaceAbi as abi } from './contracts.generated.ts'

/**
 * Returns the call data that lists a token, in wei or in dollars.
 *
 * @throws `royalty/bad-share`; for prices in dollars also `listing/price-too-high` and
 * `listing/two-currencies`
 */
export function encodeList(id: bigint, terms: Terms): Hex {
  const royaltyBps = BigInt(royaltyShare(terms.forkRoyaltyBps))
  const argsOf = ({ price, rentalPricePerDay, forkPrice }: Terms | DollarPrices) =>
    [id, price, rentalPricePerDay, forkPrice, royaltyBps] as const
  const { dollars } = terms
  if (dollars === undefined || offersNothing(dollars)) {
    return encodeFunctionData({ abi, functionName: 'list', args: argsOf(terms) })
  }
  // A revert does not name the unit of its amounts, and the call has no place for prices in wei.
  listableTerms(terms)
  return encodeFunctionData({ abi, functionName: 'listInDollars', args: argsOf(dollars) })
}
