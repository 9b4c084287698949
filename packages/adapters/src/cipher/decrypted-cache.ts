import { hash } from 'node:crypto'
import {
  type BlobStore,
  type Cipher,
  type Digest,
  type SealContext,
  sameContext,
  viewOf,
  wholeDocument,
} from '@heirloom/core'
import { lruCache } from '../platform/lru-cache.ts'

/** The store of sealed bundles, and the cipher that opens them. */
export type BundlePorts = { readonly blobStore: BlobStore; readonly cipher: Cipher }

/** The ports with their caches, and the way to remove a bundle from both. */
export type CachedBundles = BundlePorts & {
  /** Removes a bundle, sealed and opened, by its digest. */
  readonly forget: (digest: Digest) => void
}

/** The longest bundle that is cached, sealed or opened, in bytes. */
const longestBundle = 65_536

/**
 * Returns the same ports, each with an LRU cache: of sealed bundles and heads by their digest, and of
 * opened bundles, for readers too, by the sha256 of their sealed bytes. Each holds bundles of up to 64 KiB, and both
 * hold `limit` bytes together. Callers share the cached bytes and must not change them. A `limit` of 0
 * disables the caches.
 *
 * Both keys name exact bytes, so no entry can be stale. The caller checks access every time. The
 * context is compared every time, too: for another context the bundle is opened again, which the
 * cipher refuses.
 */
export function decryptedCache({ blobStore, cipher }: BundlePorts, limit: number): CachedBundles {
  if (limit === 0) return { blobStore, cipher, forget: () => undefined }
  // An LRU cache holds at most twice its limit.
  const sealed = sealedCache(limit / 4)
  const opened = cacheOpened(cipher, limit / 4)
  return {
    blobStore: cacheSealed(blobStore, sealed),
    cipher: opened.cipher,
    forget: (digest) => {
      opened.forget(digest, sealed.head(digest))
      sealed.delete(digest)
    },
  }
}

/** Holds whole bundles and heads, which are whole bundles too where these are one block. */
function sealedCache(limit: number) {
  const lru = lruCache<string, Uint8Array>(limit, ({ length }) => length)
  const keyOfHead = (digest: Digest) => `head ${digest}`
  return {
    whole: (digest: Digest) => lru.get(digest),
    head: (digest: Digest) => lru.get(digest) ?? lru.get(keyOfHead(digest)),
    setWhole: (digest: Digest, bytes: Uint8Array) => {
      if (bytes.length <= longestBundle) lru.set(digest, bytes)
    },
    setHead: (digest: Digest, bytes: Uint8Array) => {
      if (bytes.length <= longestBundle) lru.set(keyOfHead(digest), bytes)
    },
    delete: (digest: Digest) => {
      lru.delete(digest)
      lru.delete(keyOfHead(digest))
    },
  }
}

type SealedCache = ReturnType<typeof sealedCache>

function cacheSealed(blobStore: BlobStore, cache: SealedCache): BlobStore {
  return {
    ...blobStore,
    get: async (digest, range) => {
      const cached = cache.whole(digest)
      if (cached !== undefined) return viewOf({ digest, bytes: cached }, range)
      const bytes = await blobStore.get(digest, range)
      const isStretch = range !== undefined && 'offset' in range
      if (!isStretch) cache.setWhole(digest, bytes)
      return bytes
    },
    head: async (digest) => {
      const cached = cache.head(digest)
      if (cached !== undefined) return cached
      const head = await blobStore.head(digest)
      cache.setHead(digest, head)
      return head
    },
    remove: async (digest) => {
      cache.delete(digest)
      await blobStore.remove(digest)
    },
  }
}

type Opened = Awaited<ReturnType<Cipher['open']>>

function cacheOpened(cipher: Cipher, limit: number) {
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
  const known = (sealed: Uint8Array, context: SealContext): Opened | undefined => {
    const cached = cache.get(hashOf(sealed))
    return cached !== undefined && sameContext(cached.context, context) ? cached.opened : undefined
  }
  // Most bundles are one block, and the cache of sealed bundles returns its bytes again.
  const wholes = new WeakSet<Uint8Array>()
  const caching: Cipher = {
    ...cipher,
    sealedLength: async (head, context) => {
      if (wholes.has(head)) return head.length
      const length = await cipher.sealedLength(head, context)
      if (length === head.length) wholes.add(head)
      return length
    },
    open: async (sealed, context, blobs) => {
      if (sealed.length > longestBundle) return cipher.open(sealed, context, blobs)
      const found = known(sealed, context)
      if (found !== undefined) return found
      const opened = await cipher.open(sealed, context, blobs)
      if (opened.document.length <= longestBundle) cache.set(hashOf(sealed), { context, opened })
      return opened
    },
    reader: async (sealed, context, blobs) => {
      if (sealed.length > longestBundle) return cipher.reader(sealed, context, blobs)
      const found = known(sealed, context)
      // Of a bundle in parts that is not opened yet, only those are opened that are read.
      const isInParts = found === undefined && cipher.inspect(sealed).packs.length > 0
      if (isInParts) return cipher.reader(sealed, context, blobs)
      const { document, ...facts } = found ?? (await caching.open(sealed, context, blobs))
      return { ...wholeDocument(document), ...facts }
    },
  }
  return {
    cipher: caching,
    forget: (digest: Digest, sealed: Uint8Array | undefined) => {
      // The digest of a bundle that is one block is its hash.
      cache.delete(digest.slice(2))
      if (sealed !== undefined) cache.delete(hashOf(sealed))
    },
  }
}
