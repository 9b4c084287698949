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
 * Returns the same ports with an LRU cache of opened bundles: up to 64 KiB each, and `limit` bytes
 * together. Callers share the cached bytes and must not change them. A `limit` of 0 disables the
 * cache.
 *
 * A bundle is cached under its digest, which is that of its exact bytes, so no entry can be stale.
 * The caller checks access every time. The context is compared every time, too: for another context
 * the bundle is opened again, which the cipher refuses.
 */
export function decryptedCache({ blobStore, cipher }: BundlePorts, limit: number): BundlePorts {
  if (limit === 0) return { blobStore, cipher }
  // An LRU cache holds at most twice its limit.
  const cache = lruCache<Digest, Entry>(limit / 2, ({ sealed, opened }) => {
    return sealed.length + opened.document.length
  })
  const bySealed = new WeakMap<Uint8Array, Digest | OpenedBundle>()
  return {
    blobStore: {
      ...blobStore,
      get: async (digest) => {
        const sealed = cache.get(digest)?.sealed
        if (sealed !== undefined) return sealed
        const bytes = await blobStore.get(digest)
        if (bytes.length <= longestBundle) bySealed.set(bytes, digest)
        return bytes
      },
      remove: async (digest) => {
        cache.delete(digest)
        await blobStore.remove(digest)
      },
    },
    cipher: {
      ...cipher,
      open: async (sealed, context) => {
        const found = bySealed.get(sealed)
        if (typeof found === 'object' && sameContext(found.context, context)) return found.opened
        const opened = await cipher.open(sealed, context)
        if (typeof found === 'string' && opened.document.length <= longestBundle) {
          bySealed.set(sealed, { context, opened })
          cache.set(found, { sealed, opened })
        }
        return opened
      },
    },
  }
}

type Opened = Awaited<ReturnType<Cipher['open']>>
type OpenedBundle = { readonly context: SealContext; readonly opened: Opened }
type Entry = { readonly sealed: Uint8Array; readonly opened: Opened }
