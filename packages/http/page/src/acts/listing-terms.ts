import type { Listed, Listing } from '../../../src/client/responses.ts'
import type { CurrencyKind } from '../text/amount.ts'

/** The terms of a listing, in one currency: amounts are decimal strings, in its smallest unit. */
export type Terms = { readonly currency: CurrencyKind } & Pick<
  Listed,
  'price' | 'rentalPricePerDay' | 'forkPrice' | 'forkRoyaltyBps'
>

/** Returns the terms of a listing in the currency that it is in. */
export function termsOf({ forkRoyaltyBps, dollars, ...native }: Listing): Terms {
  const { price, rentalPricePerDay, forkPrice } = dollars ?? native
  const currency = dollars === undefined ? 'native' : 'dollar'
  return { currency, price, rentalPricePerDay, forkPrice, forkRoyaltyBps }
}
