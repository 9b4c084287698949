import { Failure } from '../failure.ts'
import { type Account, sameAccount } from './account.ts'
import { listable, type Wei, wei } from './money.ts'
import { type ForkRoyalty, royaltyShare } from './royalty.ts'
import type { TokenId } from './token.ts'

/** The prices of a token; a price of 0 means that this offer is not made. */
export type Terms = {
  readonly price: Wei
  readonly rentalPricePerDay: Wei
  readonly forkPrice: Wei
  /**
   * The royalty for this token's creator on every later price of a fork, 0 to 10000 basis points.
   */
  readonly forkRoyaltyBps: number
}

/**
 * The live terms of a token, and the royalties that a fork would owe. The prices are zero and the
 * seller is the zero address when the token is not listed.
 */
export type Listing = Terms & ForkRoyalty & { readonly tokenId: TokenId; readonly seller: Account }

/**
 * Returns `terms` when all prices and the royalty are within their limits.
 *
 * @throws `listing/price-too-high`, `royalty/bad-share`
 */
export function listableTerms(terms: Terms): Terms {
  return {
    price: listable(terms.price),
    rentalPricePerDay: listable(terms.rentalPricePerDay),
    forkPrice: listable(terms.forkPrice),
    forkRoyaltyBps: royaltyShare(terms.forkRoyaltyBps),
  }
}

/**
 * Refuses a listing by an account that does not own the token.
 *
 * @throws `listing/not-owner`
 */
export function refuseForeignLister(tokenId: TokenId, owner: Account, account: Account): void {
  if (!sameAccount(owner, account)) {
    throw new Failure('listing/not-owner', { tokenId, owner, account })
  }
}

/**
 * Returns the price of the token.
 *
 * @throws `listing/not-for-sale`, `listing/over-max-price`
 */
export function salePrice({ tokenId, price }: Listing, maxPrice: Wei | undefined): Wei {
  if (price === 0n) throw new Failure('listing/not-for-sale', { tokenId })
  return requireAccepted(tokenId, price, maxPrice)
}

/**
 * Returns the total price of a rental of `days` days.
 *
 * @throws `listing/not-for-rent`, `listing/over-max-price`
 */
export function rentalPrice(listing: Listing, days: number, maxPrice: Wei | undefined): Wei {
  const { tokenId, rentalPricePerDay } = listing
  const total = wei(rentalPricePerDay * BigInt(days))
  if (total === 0n) throw new Failure('listing/not-for-rent', { tokenId })
  return requireAccepted(tokenId, total, maxPrice)
}

/**
 * Returns the price of a fork of the token.
 *
 * @throws `listing/not-for-fork`, `listing/over-max-price`
 */
export function forkPrice(listing: Listing, maxPrice: Wei | undefined): Wei {
  const { tokenId, forkPrice: price } = listing
  if (price === 0n) throw new Failure('listing/not-for-fork', { tokenId })
  return requireAccepted(tokenId, price, maxPrice)
}

function requireAccepted(tokenId: TokenId, price: Wei, maxPrice: Wei | undefined): Wei {
  if (maxPrice !== undefined && price > maxPrice) {
    throw new Failure('listing/over-max-price', { tokenId, price, maxPrice })
  }
  return price
}
