import type { Digest, Ledger, LedgerWrite, OpenBlobStore, WriteResult } from '@heirloom/core'

/** The writes that store blobs: those whose receipt names the digest of one. */
type BlobWrite = {
  [write in LedgerWrite]: WriteResult<write> extends { readonly digest: Digest } ? write : never
}[LedgerWrite]

/** Returns a ledger that claims the blobs of each token it mints: the bundle and its card. */
export function claimBlobs(ledger: Ledger, store: Pick<OpenBlobStore, 'claim'>): Ledger {
  // The token is minted: a claim that fails costs one check at the next sweep, and nothing else.
  const claim = (digest: Digest) => store.claim(digest).catch(() => undefined)
  const writes: Pick<Ledger, BlobWrite> = {
    mint: async (token) => {
      const minted = await ledger.mint(token)
      await claim(minted.digest)
      // Under a reused idempotency key, the token belongs to the first bundle and its card.
      if (token.card !== undefined && minted.digest === token.digest) await claim(token.card)
      return minted
    },
  }
  return { ...ledger, ...writes }
}
