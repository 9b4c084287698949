import type { Digest } from '../domain/hash.ts'
import type { Instant } from '../domain/time.ts'

/**
 * Remembers for ever which blobs were erased, by their digests. A blob counts as erased from the
 * moment that `add` has succeeded, whether its bytes are gone already or not.
 *
 * Laws
 * - finds nothing at first
 * - finds what was added, and nothing else
 * - returns the first time of a blob that is added again
 * - remembers after a reopening what was added
 * - adds all of several blobs that are added at the same time
 */
export interface Erasures {
  /** Returns when a blob was erased; `undefined` unless it was. */
  find(digest: Digest): Instant | undefined
  /** Notes blobs durably as erased. */
  add(digests: readonly Digest[], erasedAt: Instant): Promise<void>
}
