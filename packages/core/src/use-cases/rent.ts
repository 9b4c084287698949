import type { LedgerWith } from '../ports/ports.ts'
import { rentalDays, rentalPrice } from '../tokens/listing.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Budget, Idempotency } from '../tokens/write-terms.ts'
import type { Account, Hex, Instant, TokenId, Wei } from '../values/branded.ts'
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
