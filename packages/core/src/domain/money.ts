import { Failure } from '../failure.ts'
import { inRange, readDecimal } from './decimal.ts'

declare const brand: unique symbol

/** An amount of the chain's native token, in wei. */
export type Wei = bigint & { readonly [brand]: 'Wei' }

/**
 * Returns the amount, or parses it from a canonical decimal string.
 *
 * @throws `value/invalid`
 */
export function wei(amount: bigint | string): Wei {
  const kind = 'amount in wei'
  return (typeof amount === 'string' ? readDecimal(amount, kind) : inRange(amount, kind)) as Wei
}

/** The highest price of a listing: 80 bits, 1,208,925 native tokens. */
export const highestPrice = wei(2n ** 80n - 1n)

/**
 * Returns `price` when it is within the limit of a listing.
 *
 * @throws `listing/price-too-high`
 */
export function listable(price: Wei): Wei {
  if (price > highestPrice) {
    throw new Failure('listing/price-too-high', { price, limit: highestPrice })
  }
  return price
}
