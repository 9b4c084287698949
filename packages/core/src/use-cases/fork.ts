import type { Account } from '../domain/account.ts'
import type { Hex } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import { forkPrice } from '../domain/listing.ts'
import type { Wei } from '../domain/money.ts'
import { existing, type TokenId } from '../domain/token.ts'
import type { Ports } from '../ports/ports.ts'
import { once } from './once.ts'

/**
 * Mints a child of a listed token, licensed on the terms of its listing.
 *
 * @throws `token/not-found`, `listing/not-for-fork`, `listing/over-max-price`,
 * `listing/price-changed`, `listing/royalty-changed`, `lineage/too-deep`, `recipient/invalid`, and
 * what any write may fail with
 */
export async function fork(
  { ledger }: Pick<Ports, 'ledger'>,
  { tokenId, recipient = ledger.agent, maxPrice, idempotency }: fork.Input,
): Promise<fork.Output> {
  return once({ ledger, write: 'fork', idempotency }, async () => {
    const listing = existing(tokenId, await ledger.listing(tokenId))
    const price = forkPrice(listing, maxPrice)

    return ledger.fork({
      tokenId,
      price,
      maxRoyaltyBps: listing.totalRoyaltyBps,
      recipient,
      idempotency,
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
    /** Makes the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
  }
  type Output = { readonly txHash: Hex; readonly tokenId: TokenId }
}
