import { Failure } from '../failure.ts'
import { type Account, sameAccount } from './account.ts'
import { listable, type Wei, wei } from './money.ts'
import { type ForkRoyalty, royaltyShare } from './royalty.ts'
import type { TokenId } from './token.ts'

/** What an owner asks for a token; a price of 0 means not offered that way. */
export type Terms = {
  readonly price: Wei
  readonly rentalPricePerDay: Wei
  readonly forkPrice: Wei
  /** The share of every later price of a fork that its owner asks for this token's creator, 0 to 10000. */
  readonly forkRoyaltyBps: number
}

/**
 * The live terms of a token; all zero, with `nobody` as the seller, when it is not listed. It shows
 * in either case what a fork would owe.
 */
export type Listing = Terms & ForkRoyalty & { readonly tokenId: TokenId; readonly seller: Account }

/**
 * Returns `terms` when a listing can carry them.
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
 * Lets only the owner of a token list it.
 *
 * @throws `listing/not-owner`
 */
export function refuseForeignLister(tokenId: TokenId, owner: Account, account: Account): void {
  if (!sameAccount(owner, account)) {
    throw new Failure('listing/not-owner', { tokenId, owner, account })
  }
}

/**
 * Returns what the token costs to buy.
 *
 * @throws `listing/not-for-sale`, `listing/over-max-price`
 */
export function salePrice({ tokenId, price }: Listing, maxPrice: Wei | undefined): Wei {
  if (price === 0n) throw new Failure('listing/not-for-sale', { tokenId })
  return accepted(tokenId, price, maxPrice)
}

/**
 * Returns what the token costs to rent for `days` days, a number that a rental can last.
 *
 * @throws `listing/not-for-rent`, `listing/over-max-price`
 */
export function rentalPrice(listing: Listing, days: number, maxPrice: Wei | undefined): Wei {
  const { tokenId, rentalPricePerDay } = listing
  const total = wei(rentalPricePerDay * BigInt(days))
  if (total === 0n) throw new Failure('listing/not-for-rent', { tokenId })
  return accepted(tokenId, total, maxPrice)
}

/**
 * Returns what the token costs to fork.
 *
 * @throws `listing/not-for-fork`, `listing/over-max-price`
 */
export function forkPrice(listing: Listing, maxPrice: Wei | undefined): Wei {
  const { tokenId, forkPrice: price } = listing
  if (price === 0n) throw new Failure('listing/not-for-fork', { tokenId })
  return accepted(tokenId, price, maxPrice)
}

function accepted(tokenId: TokenId, price: Wei, maxPrice: Wei | undefined): Wei {
  if (maxPrice !== undefined && price > maxPrice) {
    throw new Failure('listing/over-max-price', { tokenId, price, maxPrice })
  }
  return price
}
