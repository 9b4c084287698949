import type { LedgerWith } from '../ports/ports.ts'
import { salePrice } from '../tokens/listing.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Budget, Idempotency } from '../tokens/write-terms.ts'
import type { Account, Hex, TokenId, Wei } from '../values/branded.ts'
import { pricedFailures, writeOnce } from './write-once.ts'

/** The failures of `buy`, besides those of any write. */
export const buyFailures = [...pricedFailures, 'listing/not-for-sale'] as const

/**
 * Buys a listed token at its asking price.
 *
 * @throws `token/not-found`, `listing/not-for-sale`, `listing/currency-changed`,
 * `listing/over-max-price`, `listing/price-changed`, `recipient/invalid`, and the failures of any
 * write
 */
export async function buy(
  { ledger }: LedgerWith<'listing' | 'buy'>,
  { tokenId, recipient = ledger.agent, maxPrice, idempotency, budget }: buy.Input,
): Promise<buy.Output> {
  return writeOnce({ ledger, write: 'buy', idempotency }, async () => {
    const listing = requireFound(tokenId, await ledger.listing(tokenId))
    const price = salePrice(listing, maxPrice)

    return ledger.buy({ tokenId, price, recipient, idempotency, budget })
  })
}

export declare namespace buy {
  type Input = {
    readonly tokenId: TokenId
    /** The new owner; the agent when absent. */
    readonly recipient?: Account | undefined
    /** The highest price that the caller accepts. */
    readonly maxPrice?: Wei | undefined
    /** The key and fingerprint that make the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** The budget that the write is charged to; none when absent. */
    readonly budget?: Budget | undefined
  }
  type Output = { readonly txHash: Hex }
}
