import type { BlobStore, Cipher } from '@heirloom/core'
import { serialQueue } from './bounds/serial-queue.ts'

/**
 * Returns a reader of seals. It inspects one head in a turn of the event loop: the proofs of a head
 * take a millisecond, anybody can write them, and the indexer asks for hundreds of heads at once.
 */
export function sealReader(
  { head }: Pick<BlobStore, 'head'>,
  { inspect }: Pick<Cipher, 'inspect'>,
) {
  const inTurn = serialQueue()
  return async (...[digest]: Parameters<BlobStore['head']>) => {
    const bytes = await head(digest)
    return inTurn(async () => inspect(bytes))
  }
}
