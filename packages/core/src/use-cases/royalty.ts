import type { LedgerWith } from '../ports/ports.ts'
import { requireFound } from '../tokens/provenance.ts'
import { royaltyPayment } from '../tokens/royalty.ts'
import type { Budget, Idempotency } from '../tokens/write-terms.ts'
import type { Hex, TokenId, Wei } from '../values/branded.ts'
import { writeOnce } from './write-once.ts'

/** The failures of `royalty`, besides those of any write. */
export const royaltyFailures = ['royalty/zero', 'token/not-found'] as const

/**
 * Pays a royalty to the creator of a token.
 *
 * @throws `royalty/zero`, `token/not-found`, and the failures of any write
 */
export async function royalty(
  { ledger }: LedgerWith<'provenance' | 'payRoyalty'>,
  { tokenId, amount, idempotency, budget }: royalty.Input,
): Promise<royalty.Output> {
  return writeOnce({ ledger, write: 'payRoyalty', idempotency }, async () => {
    royaltyPayment(amount)
    requireFound(tokenId, await ledger.provenance(tokenId))

    return ledger.payRoyalty({ tokenId, amount, idempotency, budget })
  })
}

export declare namespace royalty {
  type Input = {
    readonly tokenId: TokenId
    readonly amount: Wei
    /** The key and fingerprint that make the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** The budget that the write is charged to; none when absent. */
    readonly budget?: Budget | undefined
  }
  type Output = { readonly txHash: Hex }
}
