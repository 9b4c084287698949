import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { Failure } from '@heirloom/core'

/** The longest time that a check waits for the catalogue, in milliseconds. */
const patience = 1000

/**
 * Returns a check that fails until the catalogue has once indexed its chain to the head. A new
 * version builds its catalogue anew: until then it would answer with a part of the memories, while
 * the servers that it is to replace know them all. A catalogue that falls behind later is no reason.
 */
export function firstIndexing(
  catalogue: Pick<SqlCatalogue, 'caughtUp' | 'progress'>,
  timeout = () => AbortSignal.timeout(patience),
): () => Promise<unknown> {
  let isIndexed = false
  return async () => {
    // It also looks up cards and seals, which can take longer and hide no memory.
    isIndexed ||= await hasCaughtUp(catalogue, timeout())
    const { block, head } = await catalogue.progress()
    if (isIndexed || (block > 0n && block >= head)) return
    throw new Failure('catalogue/unavailable', { operation: 'index' })
  }
}

function hasCaughtUp(
  catalogue: Pick<SqlCatalogue, 'caughtUp'>,
  signal: AbortSignal,
): Promise<boolean> {
  return catalogue.caughtUp(signal).then(
    () => !signal.aborted,
    // The check of the chain says why.
    () => false,
  )
}
