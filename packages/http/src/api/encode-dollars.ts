import { type Dollars, dollars, type LiveTerms, type Prices } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { DollarOffer, DollarTerms } from './market-schemas.ts'

/** Encodes the prices in dollars of a listing; no member at all for prices in wei. */
export function encodeDollars({ dollars: prices }: Pick<LiveTerms, 'dollars'>): {
  readonly dollars?: Static<typeof DollarOffer>
} {
  if (prices === undefined) return {}
  const { asset, price, rentalPricePerDay, forkPrice } = prices
  return {
    dollars: {
      asset,
      price: price.toString(),
      rentalPricePerDay: rentalPricePerDay.toString(),
      forkPrice: forkPrice.toString(),
    },
  }
}

/**
 * Parses prices in dollars.
 *
 * @throws `value/invalid`
 */
export function readDollars(
  prices: Static<typeof DollarTerms> | undefined,
): Prices<Dollars> | undefined {
  if (prices === undefined) return undefined
  return {
    price: dollars(prices.price),
    rentalPricePerDay: dollars(prices.rentalPricePerDay),
    forkPrice: dollars(prices.forkPrice),
  }
}
