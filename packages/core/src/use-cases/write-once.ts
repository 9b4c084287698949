import { isFailure } from '../failure.ts'
import type { Ledger, LedgerWrite, WriteResult } from '../ports/ledger.ts'
import type { Idempotency } from '../tokens/write-terms.ts'

/** The failures of a write that pays a listed price. */
export const pricedFailures = [
  'listing/currency-changed',
  'listing/over-max-price',
  'listing/price-changed',
  'recipient/invalid',
  'token/not-found',
] as const

/** Makes a write, or returns its result when a write with the same key was made before. */
export async function writeOnce<write extends LedgerWrite>(
  { ledger, write, idempotency }: writeOnce.Input<write>,
  make: () => Promise<WriteResult<write>>,
): Promise<WriteResult<write>> {
  if (idempotency === undefined) return make()
  const recall = () => ledger.recall(write, idempotency)
  return (await recall()) ?? make().catch((error: unknown) => recallOrRethrow(recall, error))
}

export declare namespace writeOnce {
  type Input<write extends LedgerWrite> = {
    readonly ledger: Pick<Ledger, 'recall'>
    readonly write: write
    readonly idempotency: Idempotency | undefined
  }
}

// The same request may arrive twice at the same time; then the first causes the failure of the
// second.
async function recallOrRethrow<T>(recall: () => Promise<T | undefined>, error: unknown) {
  // The ledger has already waited for this write and would wait as long again.
  if (isFailure(error, 'transaction/unconfirmed')) throw error
  const made = await recall()
  if (made === undefined) throw error
  return made
}
