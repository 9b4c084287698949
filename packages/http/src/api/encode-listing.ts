import { type Dollars, dollars, type Listing, type LiveTerms, type Prices } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { DollarOffer, DollarTerms, ListingRecord } from './market-schemas.ts'
import type { ReadonlyStatic } from './schema-parts.ts'

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

/** Encodes the terms of a token as the API does. */
export function encodeListing(terms: Listing): ReadonlyStatic<typeof ListingRecord> {
  return {
    seller: terms.seller,
    price: terms.price.toString(),
    rentalPricePerDay: terms.rentalPricePerDay.toString(),
    forkPrice: terms.forkPrice.toString(),
    forkRoyaltyBps: terms.forkRoyaltyBps,
    isForSale: terms.price > 0n,
    isForRent: terms.rentalPricePerDay > 0n,
    isForFork: terms.forkPrice > 0n,
    effectiveRoyaltyBps: terms.effectiveRoyaltyBps,
    totalRoyaltyBps: terms.totalRoyaltyBps,
    canBeForked: terms.canBeForked,
    ...encodeDollars(terms),
  }
}
