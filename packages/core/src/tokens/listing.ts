import { Failure } from '../failure.ts'
import type { Account, Currency, Dollars, Instant, TokenId, Wei } from '../values/branded.ts'
import { dollars, wei } from '../values/decimal.ts'
import { sameAccount } from '../values/hex.ts'
import type { Order, OrderAct } from './order.ts'
import { type ForkRoyalty, royaltyShare } from './royalty.ts'

/** The prices of a token in one currency; a price of 0 means that this offer is not made. */
export type Prices<Amount extends Wei | Dollars> = {
  readonly price: Amount
  readonly rentalPricePerDay: Amount
  readonly forkPrice: Amount
}

/** The prices of a token in dollars. */
export type DollarPrices = Prices<Dollars>

/**
 * The terms of a token. Its prices are in one currency. Those in wei stand beside the others and are
 * all 0 when there are prices in dollars, so a reader that knows no dollars finds no offer and never
 * takes dollars for wei.
 */
export type Terms = Prices<Wei> & {
  /**
   * The royalty for this token's creator on every later price of a fork, 0 to 10000 basis points.
   */
  readonly forkRoyaltyBps: number
  /** The prices in dollars; absent when the prices are in wei. */
  readonly dollars?: DollarPrices | undefined
}

/** The live terms of a token, as the chain has them. */
export type LiveTerms = Omit<Terms, 'dollars'> & {
  /** The prices in dollars, and the ERC-20 token that they are in. */
  readonly dollars?: (DollarPrices & { readonly asset: Account }) | undefined
}

/**
 * The live terms of a token, and the royalties that a fork would owe. The prices are zero and the
 * seller is the zero address when the token is not listed.
 */
export type Listing = LiveTerms &
  ForkRoyalty & { readonly tokenId: TokenId; readonly seller: Account }

/** The prices in wei of a token that has none. */
export const noPrices: Prices<Wei> = {
  price: wei(0n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
}

/** Returns whether prices make no offer. */
export function offersNothing(prices: Prices<Wei> | Prices<Dollars>): boolean {
  return prices.price + prices.rentalPricePerDay + prices.forkPrice === 0n
}

/** Returns the currency of terms; terms without a price have the native one. */
export function currencyOf(terms: Pick<Terms, 'dollars'>): Currency {
  return terms.dollars === undefined || offersNothing(terms.dollars) ? 'native' : 'dollar'
}

/**
 * Returns `terms` when all prices and the royalty are within their limits and the prices are in one
 * currency. Leaves out prices in dollars that are all 0.
 *
 * @throws `listing/price-too-high`, `royalty/bad-share`, `listing/two-currencies`
 */
export function listableTerms(terms: Terms): Terms {
  const native = {
    price: listable(terms.price),
    rentalPricePerDay: listable(terms.rentalPricePerDay),
    forkPrice: listable(terms.forkPrice),
    forkRoyaltyBps: royaltyShare(terms.forkRoyaltyBps),
  }
  if (terms.dollars === undefined || offersNothing(terms.dollars)) return native
  const { price, rentalPricePerDay, forkPrice } = terms.dollars
  const inDollars = {
    price: listableInDollars(price),
    rentalPricePerDay: listableInDollars(rentalPricePerDay),
    forkPrice: listableInDollars(forkPrice),
  }
  if (!offersNothing(native)) throw new Failure('listing/two-currencies', {})
  return { ...native, dollars: inDollars }
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
 * @throws `listing/not-for-sale`, `listing/currency-changed` for one in dollars,
 * `listing/over-max-price`
 */
export function salePrice(listing: Listing, maxPrice: Wei | undefined): Wei {
  return requireAccepted(listing, requireOffered(listing, 'price', 'native'), maxPrice)
}

/**
 * Returns the total price of a rental of `days` days.
 *
 * @throws `listing/not-for-rent`, `listing/currency-changed` for one in dollars,
 * `listing/over-max-price`
 */
export function rentalPrice(listing: Listing, days: number, maxPrice: Wei | undefined): Wei {
  const perDay = requireOffered(listing, 'rentalPricePerDay', 'native')
  return requireAccepted(listing, perDay * BigInt(days), maxPrice)
}

/**
 * Returns the price of a fork of the token.
 *
 * @throws `listing/not-for-fork`, `listing/currency-changed` for one in dollars,
 * `listing/over-max-price`
 */
export function forkPrice(listing: Listing, maxPrice: Wei | undefined): Wei {
  return requireAccepted(listing, requireOffered(listing, 'forkPrice', 'native'), maxPrice)
}

/**
 * Returns an offered price in dollars: of the token, of a day's rental, or of a fork.
 *
 * @throws `listing/not-for-sale`, `listing/not-for-rent` or `listing/not-for-fork`;
 * `listing/currency-changed` for one in wei
 */
export function offeredDollars(listing: Listing, way: keyof DollarPrices): Dollars {
  return dollars(requireOffered(listing, way, 'dollar'))
}

const notOfferedOf = {
  price: 'listing/not-for-sale',
  rentalPricePerDay: 'listing/not-for-rent',
  forkPrice: 'listing/not-for-fork',
} as const

/** Returns an offered price; refuses one that is not offered or is in another currency. */
function requireOffered(listing: Listing, way: keyof DollarPrices, currency: Currency): bigint {
  const { tokenId } = listing
  const price = (listing.dollars ?? listing)[way]
  if (price === 0n) throw new Failure(notOfferedOf[way], { tokenId })
  if (currencyOf(listing) !== currency) throw new Failure('listing/currency-changed', { tokenId })
  return price
}

function requireAccepted({ tokenId }: Listing, amount: bigint, maxPrice: Wei | undefined): Wei {
  const price = wei(amount)
  if (maxPrice !== undefined && price > maxPrice) {
    throw new Failure('listing/over-max-price', { tokenId, price, maxPrice })
  }
  return price
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
function listableInDollars(price: Dollars): Dollars {
  if (price > highestDollarPrice) {
    const currency = 'dollar'
    throw new Failure('listing/price-too-high', { price, limit: highestDollarPrice, currency })
  }
  return price
}

/** The part of an order that its listing decides. */
export type OrderTerms = Pick<Order, 'act' | 'price' | 'days' | 'maxRoyaltyBps'>

/**
 * Returns what an order for a listed token must say: the act, its whole price in dollars, and the
 * royalties of a fork.
 *
 * @throws `listing/not-for-sale`, `listing/not-for-rent`, `listing/not-for-fork`,
 * `listing/currency-changed` for a price in wei, `rental/bad-duration`
 */
export function orderTerms(
  listing: Listing,
  { act, days = 0 }: { readonly act: Exclude<OrderAct, 'royalty'>; readonly days?: number },
): OrderTerms {
  const fixed = { act, days: 0, maxRoyaltyBps: 0 }
  if (act === 'buy') return { ...fixed, price: offeredDollars(listing, 'price') }
  if (act === 'fork') {
    const maxRoyaltyBps = listing.totalRoyaltyBps
    return { ...fixed, maxRoyaltyBps, price: offeredDollars(listing, 'forkPrice') }
  }
  const perDay = offeredDollars(listing, 'rentalPricePerDay')
  return { ...fixed, days: rentalDays(days), price: dollars(perDay * BigInt(days)) }
}

/** The longest rental, and the latest end of a renewal from now, in days. */
export const maxRentalDays = 365

/**
 * Returns `days` when it is a valid duration: a whole number from 1 to 365.
 *
 * @throws `rental/bad-duration`
 */
export function rentalDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > maxRentalDays) {
    throw new Failure('rental/bad-duration', { days, limit: maxRentalDays })
  }
  return days
}

/** Returns whether a rental is active before `expiresAt`; at this instant it has ended. */
export function isActive(expiresAt: Instant | undefined, now: Instant): boolean {
  return expiresAt !== undefined && expiresAt > now
}
