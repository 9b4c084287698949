import { type Dollars, dollars, type Listing, type LiveTerms } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { DollarTerms, ListingRecord } from './market-schemas.ts'
import { mapPrices, type Prices } from './prices.ts'

/**
 * Parses prices in dollars.
 *
 * @throws `value/invalid`
 */
export const readDollars = (
  prices: Static<typeof DollarTerms> | undefined,
): Prices<Dollars> | undefined => prices && mapPrices(prices, (it) => dollars(it))

/** Encodes the terms of a token as the API does; no `dollars` at all for prices in wei. */
export function encodeListing(
  terms: LiveTerms & Omit<Listing, 'tokenId' | keyof LiveTerms>,
): Static<typeof ListingRecord> {
  const { seller, forkRoyaltyBps, effectiveRoyaltyBps, totalRoyaltyBps, canBeForked } = terms
  return {
    seller,
    ...mapPrices(terms, String),
    forkRoyaltyBps,
    isForSale: terms.price > 0n,
    isForRent: terms.rentalPricePerDay > 0n,
    isForFork: terms.forkPrice > 0n,
    effectiveRoyaltyBps,
    totalRoyaltyBps,
    canBeForked,
    ...(terms.dollars && {
      dollars: { asset: terms.dollars.asset, ...mapPrices(terms.dollars, String) },
    }),
  }
}
