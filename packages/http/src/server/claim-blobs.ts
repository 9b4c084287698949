import { rejectAfter } from '@heirloom/adapters/internal/platform'
import type { Digest, Ledger, LedgerWrite, OpenBlobStore, WriteResult } from '@heirloom/core'

/** The writes that store blobs: those whose receipt names the digest of one. */
type BlobWrite = {
  [write in LedgerWrite]: WriteResult<write> extends { readonly digest: Digest } ? write : never
}[LedgerWrite]

/** The longest that claims may hold back the answer to a mint, in milliseconds. */
const claimLimit = 5000

/**
 * Returns a ledger that claims the blobs of each token it mints: the bundle and its card. The token
 * is minted: a claim that fails or takes longer than `limit` milliseconds costs one check at the next
 * sweep, and nothing else. `onTrouble` gets its error.
 */
export function claimBlobs(
  ledger: Ledger,
  store: Pick<OpenBlobStore, 'claim'>,
  { onTrouble = () => undefined, limit = claimLimit }: claimBlobs.Options = {},
): Ledger {
  // Async, because a module's own claim may not be.
  const send = async (digest: Digest) => store.claim(digest)
  const claim = (digest: Digest) =>
    rejectAfter(limit, send(digest), () => new Error('The claim takes too long.')).catch(onTrouble)
  const writes: Pick<Ledger, BlobWrite> = {
    mint: async (token) => {
      const minted = await ledger.mint(token)
      const claims = [claim(minted.digest)]
      // Under a reused idempotency key, the token belongs to the first bundle and its card.
      if (token.card !== undefined && minted.digest === token.digest) claims.push(claim(token.card))
      await Promise.all(claims)
      return minted
    },
  }
  return { ...ledger, ...writes }
}

export declare namespace claimBlobs {
  type Options = {
    readonly onTrouble?: (error: unknown) => void
    /** In milliseconds. */
    readonly limit?: number
  }
}
