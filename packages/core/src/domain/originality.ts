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
  /** Whether the memory was sealed for the token's source; absent where its head is not here. */
  readonly isOwn: boolean | undefined
  /** Whether this server sealed the same content for another creator. */
  readonly isOfAnother: boolean
  /** Whether the head was found as this server sealed it. */
  readonly isAuthentic: boolean
  /** Whether the creator of the source had minted the same pair of hashes before. */
  readonly isRepeated: boolean
}

/** Returns whether a token shows a memory of its own. */
export function originalityOf(facts: OriginalityFacts): Originality {
  const { isOwn, isOfAnother, isAuthentic, isRepeated } = facts
  if (isOfAnother) return 'copied'
  if (isOwn === undefined) return 'unverified'
  if (!isOwn) return 'copied'
  if (!isAuthentic) return 'unverified'
  return isRepeated ? 'repeated' : 'original'
}
