import type { LedgerWith } from '../ports/ports.ts'
import { listableTerms, refuseForeignLister, type Terms } from '../tokens/listing.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Budget, Idempotency } from '../tokens/write-terms.ts'
import type { Hex, TokenId } from '../values/branded.ts'
import { writeOnce } from './write-once.ts'

/** The failures of `list`, besides those of any write. */
export const listFailures = [
  'dollar/missing',
  'listing/not-owner',
  'listing/price-too-high',
  'listing/two-currencies',
  'royalty/bad-share',
  'token/not-found',
] as const

/**
 * Lists a token of the agent for sale, rent and fork, in wei or in dollars; all zero takes the listing
 * down.
 *
 * @throws `listing/price-too-high`, `royalty/bad-share`, `listing/two-currencies`, `token/not-found`,
 * `listing/not-owner`, `dollar/missing`, and the failures of any write
 */
export async function list(
  { ledger }: LedgerWith<'access' | 'list'>,
  { tokenId, idempotency, budget, ...terms }: list.Input,
): Promise<list.Output> {
  return writeOnce({ ledger, write: 'list', idempotency }, async () => {
    const offer = listableTerms(terms)
    const { owner } = requireFound(tokenId, await ledger.access(tokenId, ledger.agent))
    refuseForeignLister(tokenId, owner, ledger.agent)

    return ledger.list({ tokenId, ...offer, idempotency, budget })
  })
}

export declare namespace list {
  type Input = Terms & {
    readonly tokenId: TokenId
    /** The key and fingerprint that make the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** The budget that the write is charged to; none when absent. */
    readonly budget?: Budget | undefined
  }
  type Output = { readonly txHash: Hex }
}
