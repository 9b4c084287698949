import type { Listing } from '@heirloom/core'
import { encodeDollars } from './encode-dollars.ts'
import type { ListingRecord } from './market-schemas.ts'
import type { ReadonlyStatic } from './readonly-static.ts'

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
