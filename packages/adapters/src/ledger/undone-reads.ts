import { Failure, type TokenId } from '@heirloom/core'
import type { Reads } from './reads.ts'

/**
 * Returns reads that fail with `ledger/unavailable` for a token that may come back, in the place of
 * none: its mint is on its way into another block, and an act on it may be tried again.
 */
export function withUndoneTokens(
  { access, provenance, listing }: Reads,
  mayReturn: (tokenId: TokenId) => Promise<boolean>,
): Reads {
  const found = async <T>(tokenId: TokenId, operation: string, read: Promise<T | undefined>) => {
    const result = await read
    if (result !== undefined || !(await mayReturn(tokenId))) return result
    throw new Failure('ledger/unavailable', { operation })
  }
  return {
    access: (id, of) => found(id, 'accessOf', access(id, of)),
    provenance: (id) => found(id, 'recordOf', provenance(id)),
    listing: (id) => found(id, 'listingOf', listing(id)),
  }
}
