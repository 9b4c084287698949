import { type BlobStore, type Digest, digest, isFailure, viewOf } from '@heirloom/core'
import { memoryBlobStore } from '../../src/fakes/blob-store.ts'
import type { Broken } from './faulty-harness.ts'

/** A broken blob store for each law. */
export const brokenBlobStores: readonly Broken<BlobStore>[] = [
  {
    law: 'returns the bytes that were put',
    fault: 'adds a byte to a blob that was put alone',
    open: async () => {
      const inner = memoryBlobStore()
      let putsSinceGet = 0
      return {
        ...inner,
        put: (bytes, headLength) => {
          putsSinceGet++
          return inner.put(bytes, headLength)
        },
        get: async (name, stretch) => {
          const bytes = await inner.get(name, stretch)
          const isAlone = putsSinceGet === 1
          putsSinceGet = 0
          const isWhole = stretch === undefined
          return isAlone && isWhole ? Uint8Array.of(...bytes.slice(0, 9), 0) : bytes
        },
      }
    },
  },
  {
    law: 'returns the same digest for equal bytes',
    fault: 'numbers its digests',
    open: async () => {
      const inner = memoryBlobStore()
      const names = new Map<string, Digest>()
      let puts = 0
      return {
        put: async (bytes, headLength) => {
          const name = numberedDigest(puts++)
          names.set(name, await inner.put(bytes, headLength))
          return name
        },
        get: (name, stretch) => inner.get(names.get(name) ?? name, stretch),
        head: (name) => inner.head(names.get(name) ?? name),
        remove: (name) => inner.remove(names.get(name) ?? name),
      }
    },
  },
  {
    law: 'returns different digests for different bytes',
    fault: 'returns the first digest for the second blob',
    open: async () => {
      const inner = memoryBlobStore()
      let last: Digest | undefined
      let active = 0
      return {
        ...inner,
        put: async (bytes, headLength) => {
          const previous = active++ === 0 ? last : undefined
          last = previous ?? (await inner.put(bytes, headLength))
          active--
          return last
        },
        get: (name, stretch) => {
          last = undefined
          return inner.get(name, stretch)
        },
        head: (name) => {
          last = undefined
          return inner.head(name)
        },
      }
    },
  },
  {
    law: 'retains bytes that are put again',
    fault: 'loses a blob that is put twice without a read in between',
    open: async () => {
      const inner = memoryBlobStore()
      const unread = new Set<Digest>()
      const lost = new Set<Digest>()
      return {
        put: async (bytes, headLength) => {
          const name = await inner.put(bytes, headLength)
          if (unread.has(name)) lost.add(name)
          unread.add(name)
          return name
        },
        remove: async (name) => {
          unread.delete(name)
          await inner.remove(name)
        },
        get: (name, stretch) => {
          unread.delete(name)
          return inner.get(lost.has(name) ? numberedDigest(0) : name, stretch)
        },
        head: (name) => {
          unread.delete(name)
          return inner.head(lost.has(name) ? numberedDigest(0) : name)
        },
      }
    },
  },
  {
    law: 'stores blobs that are put at the same time',
    fault: 'loses blobs that are put at the same time',
    open: async () => {
      const inner = memoryBlobStore()
      const lost = new Set<Digest>()
      let active = 0
      return {
        ...inner,
        put: async (bytes, headLength) => {
          const isBusy = active++ > 0
          const name = await inner.put(bytes, headLength)
          active--
          if (isBusy) lost.add(name)
          else lost.delete(name)
          return name
        },
        get: (name, stretch) => inner.get(lost.has(name) ? numberedDigest(0) : name, stretch),
      }
    },
  },
  {
    law: 'refuses an unknown digest with `blob/not-found`',
    fault: 'returns empty bytes for an unknown digest',
    open: async () => {
      const inner = memoryBlobStore()
      const known = new Set<Digest>()
      return {
        ...inner,
        put: async (bytes, headLength) => {
          const name = await inner.put(bytes, headLength)
          known.add(name)
          return name
        },
        get: (name, stretch) =>
          inner.get(name, stretch).catch((error: unknown) => {
            if (isFailure(error, 'blob/not-found') && !known.has(name)) return new Uint8Array()
            throw error
          }),
      }
    },
  },
  {
    law: 'removes one blob and no other',
    fault: 'removes the latest blob instead',
    open: async () => {
      const inner = memoryBlobStore()
      let latest = numberedDigest(0)
      return {
        ...inner,
        put: async (bytes, headLength) => {
          latest = await inner.put(bytes, headLength)
          return latest
        },
        remove: () => inner.remove(latest),
      }
    },
  },
  {
    law: 'returns the head of a blob and only bytes that were put',
    fault: 'truncates heads to 40 bytes',
    open: async () => {
      const inner = memoryBlobStore()
      return { ...inner, head: async (name) => (await inner.head(name)).slice(0, 40) }
    },
  },
  {
    law: 'returns a stretch of a blob',
    fault: 'returns the whole blob instead',
    open: async () => {
      const inner = memoryBlobStore()
      const boundOf = (range: Parameters<BlobStore['get']>[1]) =>
        range && 'atMost' in range ? range : undefined
      return { ...inner, get: (name, range) => inner.get(name, boundOf(range)) }
    },
  },
  {
    law: 'refuses a blob that is longer than a bound with `blob/corrupt`',
    fault: 'returns the bytes up to the bound',
    open: async () => {
      const inner = memoryBlobStore()
      return {
        ...inner,
        get: async (name, range) =>
          range && 'atMost' in range
            ? (await inner.get(name)).slice(0, range.atMost)
            : inner.get(name, range),
      }
    },
  },
  {
    law: 'shares no bytes of a blob of more than 128 KiB with those who put or get it',
    fault: 'caches what it returned, however long',
    open: async () => {
      const inner = memoryBlobStore()
      const cache = new Map<Digest, Uint8Array>()
      return {
        ...inner,
        get: async (name, range) => {
          const bytes = cache.get(name) ?? (await inner.get(name))
          cache.set(name, bytes)
          return viewOf({ digest: name, bytes }, range)
        },
        remove: async (name) => {
          cache.delete(name)
          await inner.remove(name)
        },
      }
    },
  },
]

const numberedDigest = (number: number) => digest(`0x${number.toString(16).padStart(64, '0')}`)
