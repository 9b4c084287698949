import type { Listing } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { isSameAccount } from '../text/account.ts'
import type { Act } from './act.ts'
import { termsOf } from './listing-terms.ts'

/** An act that pays a seller. */
export type Purchase = Extract<Act, { readonly seller: string }>

/** Returns whether an act pays a seller. */
export const isPurchase = (act: Act): act is Purchase => 'seller' in act

/** Returns whether an act would pay an account for its own token. */
export const isOwnPurchase = (act: Act, account: string | undefined): act is Purchase =>
  isPurchase(act) && isSameAccount(act.seller, account)

/**
 * Returns a purchase at the current terms of its listing; an act without a seller stays, and so does
 * one that is no longer offered.
 */
export async function updateTerms(act: Act): Promise<Act> {
  if (!isPurchase(act)) return act
  const listing = await readNow('listing', { tokenId: act.tokenId })
  const updated = applyTerms(act, listing)
  return JSON.stringify(updated) === JSON.stringify(act) ? act : updated
}

/** Applies the terms of a listing to a purchase. */
export function applyTerms(act: Purchase, listing: Listing): Purchase {
  const { seller, totalRoyaltyBps: royaltyBps } = listing
  const { currency, price, rentalPricePerDay: perDay, forkPrice } = termsOf(listing)
  switch (act.kind) {
    case 'buy':
      return price === '0' ? act : { ...act, currency, seller, price }
    case 'rent':
      return perDay === '0' ? act : { ...act, currency, seller, perDay }
    case 'fork':
      return forkPrice === '0' ? act : { ...act, currency, seller, price: forkPrice, royaltyBps }
  }
}
