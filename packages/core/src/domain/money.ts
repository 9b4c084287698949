import { Failure } from '../failure.ts'
import { inRange, readDecimal } from './decimal.ts'

declare const brand: unique symbol

/** An amount of the chain's native token, in wei. */
export type Wei = bigint & { readonly [brand]: 'Wei' }

/** An amount of the dollar of a contract pair, in its smallest unit: a millionth of a dollar. */
export type Dollars = bigint & { readonly [brand]: 'Dollars' }

/** The currencies of prices: the chain's native token, and the dollar of the contract pair. */
export const currencies = ['native', 'dollar'] as const

/** A currency of prices. */
export type Currency = (typeof currencies)[number]

/** The number of decimals of a dollar: its smallest unit is a millionth. */
export const dollarDecimals = 6

/**
 * Returns the amount, or parses it from a canonical decimal string.
 *
 * @throws `value/invalid`
 */
export const wei = (amount: bigint | string): Wei => amountOf(amount, 'amount in wei') as Wei

/**
 * Returns the amount in millionths of a dollar, or parses it from a canonical decimal string.
 *
 * @throws `value/invalid`
 */
export const dollars = (amount: bigint | string): Dollars =>
  amountOf(amount, 'amount in millionths of a dollar') as Dollars

function amountOf(amount: bigint | string, kind: string): bigint {
  return typeof amount === 'string' ? readDecimal(amount, kind) : inRange(amount, kind)
}

/** The highest price of a listing: 80 bits, 1,208,925 native tokens. */
export const highestPrice = wei(2n ** 80n - 1n)

/** The highest price of a listing in dollars: 80 bits as well. */
export const highestDollarPrice = dollars(2n ** 80n - 1n)

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

/**
 * Returns a price in dollars when it is within the limit of a listing.
 *
 * @throws `listing/price-too-high`
 */
export function listableInDollars(price: Dollars): Dollars {
  if (price > highestDollarPrice) {
    const currency = 'dollar'
    throw new Failure('listing/price-too-high', { price, limit: highestDollarPrice, currency })
  }
  return price
}
