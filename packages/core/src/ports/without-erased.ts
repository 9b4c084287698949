import type { Digest } from '../domain/hash.ts'
import { Failure } from '../failure.ts'
import type { LocalReads } from './blob-storage.ts'
import type { BlobStore } from './blob-store.ts'
import type { Erasures } from './erasures.ts'

/**
 * Returns a blob store that never returns an erased blob, whoever put it there again, and stores
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
