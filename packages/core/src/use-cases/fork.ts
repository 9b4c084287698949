import type { LedgerWith } from '../ports/ports.ts'
import { forkPrice } from '../tokens/listing.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Budget, Idempotency } from '../tokens/write-terms.ts'
import type { Account, Hex, TokenId, Wei } from '../values/branded.ts'
import { pricedFailures, writeOnce } from './write-once.ts'

/** The failures of `fork`, besides those of any write. */
export const forkFailures = [
  ...pricedFailures,
  'lineage/too-deep',
  'listing/not-for-fork',
  'listing/royalty-changed',
  'royalty/bad-share',
] as const

/**
 * Mints a child of a listed token, licensed on the terms of its listing.
 *
 * @throws `token/not-found`, `listing/not-for-fork`, `listing/currency-changed`,
 * `listing/over-max-price`, `listing/price-changed`, `listing/royalty-changed`, `lineage/too-deep`,
 * `royalty/bad-share`, `recipient/invalid`, and the failures of any write
 */
export async function fork(
  { ledger }: LedgerWith<'listing' | 'fork'>,
  { tokenId, recipient = ledger.agent, maxPrice, maxRoyaltyBps, idempotency, budget }: fork.Input,
): Promise<fork.Output> {
  return writeOnce({ ledger, write: 'fork', idempotency }, async () => {
    const listing = requireFound(tokenId, await ledger.listing(tokenId))
    const price = forkPrice(listing, maxPrice)

    return ledger.fork({
      tokenId,
      price,
      maxRoyaltyBps: maxRoyaltyBps ?? listing.totalRoyaltyBps,
      recipient,
      idempotency,
      budget,
    })
  })
}

export declare namespace fork {
  type Input = {
    /** The parent. */
    readonly tokenId: TokenId
    /** The owner of the child; the agent when absent. */
    readonly recipient?: Account | undefined
    /** The highest price that the caller accepts. */
    readonly maxPrice?: Wei | undefined
    /**
     * The highest total of all royalties on the child that the caller accepts, in basis points; the
     * total of the listing when absent.
     */
    readonly maxRoyaltyBps?: number | undefined
    /** The key and fingerprint that make the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** The budget that the write is charged to; none when absent. */
    readonly budget?: Budget | undefined
  }
  type Output = { readonly txHash: Hex; readonly tokenId: TokenId }
}
