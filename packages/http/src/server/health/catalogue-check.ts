import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { Failure } from '@heirloom/core'

/** The longest time that a check waits for the catalogue, in milliseconds: it then says what it knows. */
const patience = 500

/**
 * Returns a check that fails until the catalogue has once indexed its chain to the head, and while
 * events of it are in doubt. A new version builds its catalogue anew: until then it would answer with a
 * part of the memories, while the servers that it is to replace know them all. A catalogue that is
 * behind later and goes on reading is no reason.
 */
export function catalogueCheck(
  catalogue: Pick<SqlCatalogue, 'caughtUp' | 'progress'>,
  timeout = () => AbortSignal.timeout(patience),
): () => Promise<unknown> {
  let isIndexed = false
  return async () => {
    // It also looks up cards and seals, which can take longer and hide no memory.
    isIndexed ||= await hasCaughtUp(catalogue, timeout())
    const { block, head, doubt } = await catalogue.progress()
    if (doubt !== undefined) throw new Failure('catalogue/behind', { problem: inWords(doubt) })
    if (isIndexed || (block > 0n && block >= head)) return
    throw new Failure('catalogue/unavailable', { operation: 'index' })
  }
}

/** Says which blocks are in doubt, and why. */
export const inWords = ({ from, to, reason }: Doubt): string =>
  `blocks ${from} to ${to} are in doubt. ${reason.replace(/\.$/, '')}`

type Doubt = NonNullable<Awaited<ReturnType<SqlCatalogue['progress']>>['doubt']>

/** Returns whether the catalogue caught up before the signal was aborted. */
function hasCaughtUp(
  catalogue: Pick<SqlCatalogue, 'caughtUp'>,
  signal: AbortSignal,
): Promise<boolean> {
  // A chain that is not open yet keeps it waiting beyond the signal.
  const late = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true })
    if (signal.aborted) resolve(false)
  })
  const caughtUp = catalogue.caughtUp(signal).then(
    () => !signal.aborted,
    // The check of the chain says why.
    () => false,
  )
  return Promise.race([caughtUp, late])
}
