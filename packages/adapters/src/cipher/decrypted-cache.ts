import { hash } from 'node:crypto'
import {
  type BlobStore,
  type Cipher,
  type Digest,
  type SealContext,
  sameContext,
} from '@heirloom/core'
import { lruCache } from '../platform/lru-cache.ts'

/** The store of sealed bundles, and the cipher that opens them. */
export type BundlePorts = { readonly blobStore: BlobStore; readonly cipher: Cipher }

/** The longest bundle that is cached, sealed or opened, in bytes. */
const longestBundle = 65_536

/**
 * Returns the same ports, each with an LRU cache: of sealed bundles by their digest, and of opened
 * bundles by the sha256 of their sealed bytes. Each holds bundles of up to 64 KiB, and both hold
 * `limit` bytes together. Callers share the cached bytes and must not change them. A `limit` of 0
 * disables the caches.
 *
 * Both keys name exact bytes, so no entry can be stale. The caller checks access every time. The
 * context is compared every time, too: for another context the bundle is opened again, which the
 * cipher refuses.
 */
export function decryptedCache({ blobStore, cipher }: BundlePorts, limit: number): BundlePorts {
  if (limit === 0) return { blobStore, cipher }
  // An LRU cache holds at most twice its limit.
  return { blobStore: cacheSealed(blobStore, limit / 4), cipher: cacheOpened(cipher, limit / 4) }
}

function cacheSealed(blobStore: BlobStore, limit: number): BlobStore {
  const cache = lruCache<Digest, Uint8Array>(limit, ({ length }) => length)
  return {
    ...blobStore,
    get: async (digest) => {
      const cached = cache.get(digest)
      if (cached !== undefined) return cached
      const sealed = await blobStore.get(digest)
      if (sealed.length <= longestBundle) cache.set(digest, sealed)
      return sealed
    },
    remove: async (digest) => {
      cache.delete(digest)
      await blobStore.remove(digest)
    },
  }
}

type Opened = Awaited<ReturnType<Cipher['open']>>

function cacheOpened(cipher: Cipher, limit: number): Cipher {
  type Entry = { readonly context: SealContext; readonly opened: Opened }
  const cache = lruCache<string, Entry>(limit, ({ opened }) => opened.document.length)
  // The cache of sealed bundles returns the same bytes again, which then need no second hash. Only
  // the hash hangs on them: what is opened can be much longer, and is bounded by its own cache.
  const hashes = new WeakMap<Uint8Array, string>()
  const hashOf = (sealed: Uint8Array): string => {
    const known = hashes.get(sealed)
    if (known !== undefined) return known
    const computed = hash('sha256', sealed)
    hashes.set(sealed, computed)
    return computed
  }
  return {
    ...cipher,
    open: async (sealed, context) => {
      if (sealed.length > longestBundle) return cipher.open(sealed, context)
      const key = hashOf(sealed)
      const cached = cache.get(key)
      if (cached !== undefined && sameContext(cached.context, context)) return cached.opened
      const opened = await cipher.open(sealed, context)
      if (opened.document.length <= longestBundle) cache.set(key, { context, opened })
      return opened
    },
  }
}
