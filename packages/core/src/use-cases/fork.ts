import type { Account } from '../domain/account.ts'
import type { Budget } from '../domain/budget.ts'
import type { Hex } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import { forkPrice } from '../domain/listing.ts'
import type { Wei } from '../domain/money.ts'
import { existing, type TokenId } from '../domain/token.ts'
import type { Ports } from '../ports/ports.ts'
import { once } from './write-once.ts'

/**
 * Mints a child of a listed token, licensed on the terms of its listing.
 *
 * @throws `token/not-found`, `listing/not-for-fork`, `listing/over-max-price`,
 * `listing/price-changed`, `listing/royalty-changed`, `lineage/too-deep`, `royalty/bad-share`,
 * `recipient/invalid`, and what any write may fail with
 */
export async function fork(
  { ledger }: Pick<Ports, 'ledger'>,
  { tokenId, recipient = ledger.agent, maxPrice, maxRoyaltyBps, idempotency, budget }: fork.Input,
): Promise<fork.Output> {
  return once({ ledger, write: 'fork', idempotency }, async () => {
    const listing = existing(tokenId, await ledger.listing(tokenId))
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
    /** The most the caller agrees to pay. */
    readonly maxPrice?: Wei | undefined
    /**
     * The most, in basis points, that all royalties together may take of the child's prices; what
     * the listing shows when absent.
     */
    readonly maxRoyaltyBps?: number | undefined
    /** Makes the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** In whose name the write is made; in nobody's when absent. */
    readonly budget?: Budget | undefined
  }
  type Output = { readonly txHash: Hex; readonly tokenId: TokenId }
}
