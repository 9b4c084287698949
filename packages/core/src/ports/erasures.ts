import { Failure } from '../failure.ts'
import type { Digest, Instant } from '../values/branded.ts'
import type { BlobStore, LocalReads } from './blob-store.ts'

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

/**
 * Returns a blob store that never returns an erased blob, also one that was put there again, and stores
 * none: neither a copy of a peer nor the bytes of a backup bring it back.
 */
export function withoutErased(store: BlobStore, erasures: Pick<Erasures, 'find'>): BlobStore {
  const guarded = readsWithoutErased(store, erasures)
  return {
    ...guarded,
    put: async (bytes, headLength) => {
      const digest = await store.put(bytes, headLength)
      // Only the store knows the digest of bytes, so they are removed again.
      if (erasures.find(digest) !== undefined) await store.remove(digest)
      refuseErased(digest, erasures)
      return digest
    },
    remove: (digest) => store.remove(digest),
  }
}

/** Returns the reads of a blob store, which refuse an erased blob. */
export function readsWithoutErased(
  store: LocalReads,
  erasures: Pick<Erasures, 'find'>,
): LocalReads {
  const read = async <T>(digest: Digest, act: () => Promise<T>) => {
    refuseErased(digest, erasures)
    const found = await act()
    // It may have been erased while it was read.
    refuseErased(digest, erasures)
    return found
  }
  const { measure } = store
  return {
    get: (digest, range) => read(digest, () => store.get(digest, range)),
    head: (digest) => read(digest, () => store.head(digest)),
    ...(measure && { measure: (digest: Digest) => read(digest, () => measure(digest)) }),
  }
}

/**
 * Refuses the digest of an erased blob.
 *
 * @throws `memory/erased`
 */
export function refuseErased(digest: Digest, erasures: Pick<Erasures, 'find'>): void {
  const erasedAt = erasures.find(digest)
  if (erasedAt !== undefined) throw new Failure('memory/erased', { digest, erasedAt })
}
