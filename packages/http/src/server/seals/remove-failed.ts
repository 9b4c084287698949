import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import type { DecidedMint } from '@heirloom/adapters/internal/failed-mints'
import type { OpenBlobStore } from '@heirloom/core'
import { catchUpLimit, removeSealed } from './remove-expired.ts'

export declare namespace removeFailed {
  type Parts = {
    /** Returns the failed mints of the server's wallets that a final block decides. */
    readonly failed: () => AsyncIterable<DecidedMint>
    readonly catalogue: Pick<SqlCatalogue, 'caughtUp' | 'mintOf' | 'namesCard'>
    readonly blobStore: Pick<OpenBlobStore, 'claim' | 'remove'>
  }
}

/**
 * Removes the blobs of mints that failed after they were signed. Both the state of the chain and the
 * catalogue must have no token of them. One that has a token after all keeps its blobs, and its job
 * returns the token from now on; the blobs of a pair that another mint made stay, too.
 */
export async function removeFailed(parts: removeFailed.Parts, closing: AbortSignal): Promise<void> {
  for await (const mint of parts.failed()) {
    if (mint.isPairMinted) await claim(parts, mint)
    else if (await isUnknown(parts, mint, closing)) await removeSealed(parts, mint)
    else continue
    await mint.settle()
  }
}

async function claim(
  { blobStore }: removeFailed.Parts,
  { digest, card }: DecidedMint,
): Promise<void> {
  await blobStore.claim(digest)
  if (card !== undefined) await blobStore.claim(card)
}

/** Returns whether the catalogue has read the head of the chain, and has no token of a mint. */
async function isUnknown(
  { catalogue }: removeFailed.Parts,
  mint: DecidedMint,
  closing: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([AbortSignal.timeout(catchUpLimit), closing])
  await catalogue.caughtUp(signal)
  return !signal.aborted && (await catalogue.mintOf(mint)) === undefined
}
