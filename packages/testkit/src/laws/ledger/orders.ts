import {
  type Account,
  day,
  dollars,
  instant,
  type Order,
  type OrderTerms,
  orderTerms,
  type TokenId,
} from '@heirloom/core'
import type { LedgerHarness, Party } from '../../harness.ts'
import { requireKnown } from './fixture.ts'

let made = 0

/** Returns 32 bytes that no other order has. */
function nextSalt(): `0x${string}` {
  made += 1
  return `0x${made.toString(16).padStart(64, '0')}`
}

/** An order to make: its act, the recipient, and the days of a rental. */
export type OrderInput = {
  readonly tokenId: TokenId
  readonly act: Order['act']
  readonly recipient: Account
  readonly days?: number
  /** The amount of a royalty. */
  readonly amount?: bigint
}

/** Returns an order with its terms, open for a day. */
export function orderWith(
  { dollar, now }: LedgerHarness,
  terms: OrderTerms,
  { tokenId, recipient }: Pick<OrderInput, 'tokenId' | 'recipient'>,
): Order {
  const deadline = instant(now() + day)
  const rest = { asset: dollar, refundTo: undefined, deadline, salt: nextSalt() }
  return { ...terms, ...rest, tokenId, recipient }
}

/** Returns an order on the terms of the token's listing. */
export async function orderFor(
  harness: LedgerHarness,
  { ledger }: Party,
  { act, amount = 1n, days = 1, ...input }: OrderInput,
): Promise<Order> {
  if (act === 'royalty') {
    const terms = { act, price: dollars(amount), days: 0, maxRoyaltyBps: 0 }
    return orderWith(harness, terms, input)
  }
  const listing = await requireKnown(ledger.listing(input.tokenId))
  return orderWith(harness, orderTerms(listing, { act, days }), input)
}
