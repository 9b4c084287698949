import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { Failure } from '@heirloom/core'

/**
 * Waits until the catalogue shows the present head of the chain, less what is not confirmed.
 *
 * @param limit the longest wait, in milliseconds
 * @throws `catalogue/unavailable` after the longest wait, and `ledger/unavailable`
 */
export async function catchUp(
  catalogue: Pick<SqlCatalogue, 'caughtUp'>,
  limit: number,
): Promise<void> {
  const signal = AbortSignal.timeout(limit)
  await catalogue.caughtUp(signal)
  if (signal.aborted) throw new Failure('catalogue/unavailable', { operation: 'catch up' })
}
