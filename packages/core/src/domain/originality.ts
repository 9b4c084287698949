/**
 * Whether a token is an original or a copy. It follows from the seal of the memory and not from
 * the order of mints, because a copier may mint first.
 *
 * - `original`: sealed for the creator of the token's source, and minted once by it
 * - `repeated`: sealed for that creator, who minted the same hashes before
 * - `copied`: sealed for another creator, another registry or other content; nobody can open it
 * - `unverified`: not sealed under a key of this server, or its head is not stored here
 */
export type Originality = 'original' | 'repeated' | 'copied' | 'unverified'

/** The facts that decide the originality of a token. */
export type OriginalityFacts = {
  /**
   * Whether the memory was sealed for the token's source; absent when its head is not stored here.
   */
  readonly isOwn: boolean | undefined
  /** Whether this server sealed the same content for another creator. */
  readonly isOfAnother: boolean
  /** Whether the head is authenticated by a key of this server. */
  readonly isAuthentic: boolean
  /** Whether the creator of the source minted the same content hash and digest before. */
  readonly isRepeated: boolean
}

/** Returns the originality of a token. */
export function originalityOf(facts: OriginalityFacts): Originality {
  const { isOwn, isOfAnother, isAuthentic, isRepeated } = facts
  // First: whoever has opened a memory can have it sealed under its salt, and must not mark the original.
  if (isOwn && isAuthentic) return isRepeated ? 'repeated' : 'original'
  return isOfAnother || isOwn === false ? 'copied' : 'unverified'
}
