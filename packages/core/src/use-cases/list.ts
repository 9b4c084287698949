import type { Budget } from '../domain/budget.ts'
import type { Hex } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import { listableTerms, refuseForeignLister, type Terms } from '../domain/listing.ts'
import { existing, type TokenId } from '../domain/token.ts'
import type { Ports } from '../ports/ports.ts'
import { once } from './write-once.ts'

/**
 * Offers a token of the agent's for sale, rent and fork; all zero takes the listing down.
 *
 * @throws `listing/price-too-high`, `royalty/bad-share`, `token/not-found`, `listing/not-owner`,
 * and what any write may fail with
 */
export async function list(
  { ledger }: Pick<Ports, 'ledger'>,
  { tokenId, idempotency, budget, ...terms }: list.Input,
): Promise<list.Output> {
  return once({ ledger, write: 'list', idempotency }, async () => {
    const offer = listableTerms(terms)
    const { owner } = existing(tokenId, await ledger.access(tokenId, ledger.agent))
    refuseForeignLister(tokenId, owner, ledger.agent)

    return ledger.list({ tokenId, ...offer, idempotency, budget })
  })
}

export declare namespace list {
  type Input = Terms & {
    readonly tokenId: TokenId
    /** Makes the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** In whose name the write is made; in nobody's when absent. */
    readonly budget?: Budget | undefined
  }
  type Output = { readonly txHash: Hex }
}
