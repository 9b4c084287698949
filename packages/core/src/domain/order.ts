import type { Account } from './account.ts'
import type { Hex } from './hash.ts'
import { type Listing, offeredDollars } from './listing.ts'
import { type Dollars, dollars } from './money.ts'
import { rentalDays } from './rental.ts'
import type { Instant } from './time.ts'
import type { TokenId } from './token.ts'

/** The acts of orders, in the numbering of the contracts. */
export const orderActs = ['buy', 'rent', 'fork', 'royalty'] as const

/** The act of an order. */
export type OrderAct = (typeof orderActs)[number]

/** The states of orders, in the numbering of the contracts. */
export const orderStates = ['open', 'settled', 'refunded'] as const

/** The state of an order: it is open until it is settled or refunded, for good. */
export type OrderState = (typeof orderStates)[number]

/**
 * An act in dollars, at a price. It says everything about its act, and is carried out at most once;
 * whoever knows it may pay it, since that serves only its recipient.
 */
export type Order = {
  readonly act: OrderAct
  readonly tokenId: TokenId
  /** The ERC-20 token that pays: the dollar of the contract pair. */
  readonly asset: Account
  /** The whole price. */
  readonly price: Dollars
  /** The account that gets the token or the rental, and is the creator and owner of a fork. */
  readonly recipient: Account
  /** The whole days of a rental; 0 for any other act. */
  readonly days: number
  /** The most that a fork may owe of its price in total, in basis points; 0 for any other act. */
  readonly maxRoyaltyBps: number
  /** The account that gets back what was paid in vain or in excess; the recipient when absent. */
  readonly refundTo: Account | undefined
  /** The last second in which the order may be carried out. */
  readonly deadline: Instant
  /** Any 32 bytes; orders that are alike differ in them. */
  readonly salt: Hex
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
