import type { Idempotency } from '../domain/idempotency.ts'
import { isFailure } from '../failure.ts'
import type { Ledger, LedgerWrite, Written } from '../ports/ledger.ts'

/** Returns what a write under a key returned; when there is no such write, makes it. */
export async function once<write extends LedgerWrite>(
  { ledger, write, idempotency }: once.Input<write>,
  make: () => Promise<Written<write>>,
): Promise<Written<write>> {
  if (idempotency === undefined) return make()
  const recall = () => ledger.recall(write, idempotency)
  return (await recall()) ?? make().catch((error: unknown) => orMadeMeanwhile(recall, error))
}

export declare namespace once {
  type Input<write extends LedgerWrite> = {
    readonly ledger: Pick<Ledger, 'recall'>
    readonly write: write
    readonly idempotency: Idempotency | undefined
  }
}

// The same request may have come twice at once, and the first be why the second is refused.
async function orMadeMeanwhile<T>(recall: () => Promise<T | undefined>, error: unknown) {
  // The ledger has waited for this one, and would wait as long again.
  if (isFailure(error, 'transaction/unconfirmed')) throw error
  const made = await recall()
  if (made === undefined) throw error
  return made
}
