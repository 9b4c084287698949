import type { Account, Dollars, Hex, Instant, TokenId } from '../values/branded.ts'

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
 * anybody who knows it may pay it, since that serves only its recipient.
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
