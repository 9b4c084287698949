import type { Account } from './account.ts'
import type { Hash } from './hash.ts'
import { type Registry, type Seal, sameContext } from './seal-context.ts'

/**
 * Whether a token shows a memory of its own. It is read from what the memory was sealed with, never
 * from the order of mints: whoever copies a pair of hashes may mint it first.
 *
 * - `original`: sealed for the creator of the token's source, and minted once by it
 * - `repeated`: sealed for that creator, who had minted the same pair before
 * - `copied`: sealed for another creator, another registry or other content; it opens for nobody
 * - `unverified`: not sealed under a key of this server, or its head is not here
 */
export type Originality = 'original' | 'repeated' | 'copied' | 'unverified'

/** What the originality of a token follows from. */
export type OriginalityFacts = {
  /** What the head of its sealed memory says; absent where it is not here. */
  readonly seal: Seal | undefined
  readonly contentHash: Hash
  readonly registry: Registry
  /** The creator of the token's source. */
  readonly creator: Account
  /** Whether the same creator had minted the same pair of hashes before the token's source. */
  readonly isRepeated: boolean
}

/** Returns whether a token shows a memory of its own. */
export function originalityOf(facts: OriginalityFacts): Originality {
  const { seal, contentHash, registry, creator, isRepeated } = facts
  if (seal === undefined) return 'unverified'
  const isOwn = sameContext(seal.context, { registry, creator }) && seal.contentHash === contentHash
  if (!isOwn) return 'copied'
  if (!seal.isAuthentic) return 'unverified'
  return isRepeated ? 'repeated' : 'original'
}
