import type { Account } from '../domain/account.ts'
import type { Budget } from '../domain/budget.ts'
import type { Hex } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import { rentalPrice } from '../domain/listing.ts'
import type { Wei } from '../domain/money.ts'
import { rentalDays } from '../domain/rental.ts'
import type { Instant } from '../domain/time.ts'
import { requireFound, type TokenId } from '../domain/token.ts'
import type { LedgerWith } from '../ports/ports.ts'
import { pricedFailures, writeOnce } from './write-once.ts'

/** The failures of `rent`, besides those of any write. */
export const rentFailures = [
  ...pricedFailures,
  'listing/not-for-rent',
  'rental/bad-duration',
  'rental/too-long',
] as const

/**
 * Rents a listed token for some days; renews a running rental from its end.
 *
 * @throws `rental/bad-duration`, `token/not-found`, `listing/not-for-rent`,
 * `listing/currency-changed`, `listing/over-max-price`, `listing/price-changed`, `rental/too-long`,
 * `recipient/invalid`, and the failures of any write
 */
export async function rent(
  { ledger }: LedgerWith<'listing' | 'rent'>,
  { tokenId, days, recipient = ledger.agent, maxPrice, idempotency, budget }: rent.Input,
): Promise<rent.Output> {
  return writeOnce({ ledger, write: 'rent', idempotency }, async () => {
    rentalDays(days)
    const listing = requireFound(tokenId, await ledger.listing(tokenId))
    const price = rentalPrice(listing, days, maxPrice)

    return ledger.rent({ tokenId, days, price, recipient, idempotency, budget })
  })
}

export declare namespace rent {
  type Input = {
    readonly tokenId: TokenId
    /** The duration, in whole days from 1 to 365. */
    readonly days: number
    /** The renter; the agent when absent. */
    readonly recipient?: Account | undefined
    /** The highest total price of all days that the caller accepts. */
    readonly maxPrice?: Wei | undefined
    /** The key and fingerprint that make the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** The budget that the write is charged to; none when absent. */
    readonly budget?: Budget | undefined
  }
  type Output = { readonly txHash: Hex; readonly expiresAt: Instant }
}
