import type { Listing } from '../client/told.ts'
import { amountText } from './amount.ts'

/** Returns the ways in which a token is offered, and for how much. */
export function termsText(listing: Listing | null): readonly (readonly [string, string])[] {
  if (listing === null) return []
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = listing
  return [
    ...(listing.isForSale ? [['For sale', amountText(BigInt(price))] as const] : []),
    ...(listing.isForRent
      ? [['For rent', `${amountText(BigInt(rentalPricePerDay))} a day`] as const]
      : []),
    ...(listing.isForFork
      ? [
          [
            'For fork',
            `${amountText(BigInt(forkPrice))}, royalty ${forkRoyaltyBps / 100} %`,
          ] as const,
        ]
      : []),
  ]
}
