import { type BlobStore, type Digest, digest, isFailure } from '@heirloom/core'
import { memoryBlobStore } from '../fakes/blob-store.ts'
import type { Broken } from './broken.ts'

/** One store for each law of stores. */
export const brokenBlobStores: readonly Broken<BlobStore>[] = [
  {
    law: 'reads back the bytes that were put',
    fault: 'adds a byte to what was put once and alone',
    open: async () => {
      const inner = memoryBlobStore()
      let putsSinceGet = 0
      return {
        ...inner,
        put: (bytes, headLength) => {
          putsSinceGet++
          return inner.put(bytes, headLength)
        },
        get: async (name) => {
          const bytes = await inner.get(name)
          const isAlone = putsSinceGet === 1
          putsSinceGet = 0
          return isAlone ? Uint8Array.of(...bytes.slice(0, 9), 0) : bytes
        },
      }
    },
  },
  {
    law: 'gives equal bytes the same digest',
    fault: 'counts into the digest',
    open: async () => {
      const inner = memoryBlobStore()
      const names = new Map<string, Digest>()
      let puts = 0
      return {
        put: async (bytes, headLength) => {
          const name = numbered(puts++)
          names.set(name, await inner.put(bytes, headLength))
          return name
        },
        get: (name) => inner.get(names.get(name) ?? name),
        head: (name) => inner.head(names.get(name) ?? name),
        remove: (name) => inner.remove(names.get(name) ?? name),
      }
    },
  },
  {
    law: 'gives different bytes different digests',
    fault: 'takes the second of two for the first',
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
        get: (name) => {
          last = undefined
          return inner.get(name)
        },
        head: (name) => {
          last = undefined
          return inner.head(name)
        },
      }
    },
  },
  {
    law: 'keeps bytes that are put again',
    fault: 'forgets what is put twice without a look in between',
    open: async () => {
      const inner = memoryBlobStore()
      const unseen = new Set<Digest>()
      const forgotten = new Set<Digest>()
      return {
        put: async (bytes, headLength) => {
          const name = await inner.put(bytes, headLength)
          if (unseen.has(name)) forgotten.add(name)
          unseen.add(name)
          return name
        },
        remove: async (name) => {
          unseen.delete(name)
          await inner.remove(name)
        },
        get: (name) => {
          unseen.delete(name)
          return inner.get(forgotten.has(name) ? numbered(0) : name)
        },
        head: (name) => {
          unseen.delete(name)
          return inner.head(forgotten.has(name) ? numbered(0) : name)
        },
      }
    },
  },
  {
    law: 'keeps many that are put at once',
    fault: 'loses what is put while it is busy',
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
        get: (name) => inner.get(lost.has(name) ? numbered(0) : name),
      }
    },
  },
  {
    law: 'refuses an unknown digest with `blob/not-found`',
    fault: 'takes what was never put for empty',
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
        get: (name) =>
          inner.get(name).catch((error: unknown) => {
            if (isFailure(error, 'blob/not-found') && !known.has(name)) return new Uint8Array()
            throw error
          }),
      }
    },
  },
  {
    law: 'forgets what is removed, and nothing else',
    fault: 'forgets the latest instead',
    open: async () => {
      const inner = memoryBlobStore()
      let latest = numbered(0)
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
    law: 'reads the head of a blob, and no byte that was not put',
    fault: 'reads no head beyond 40 bytes',
    open: async () => {
      const inner = memoryBlobStore()
      return { ...inner, head: async (name) => (await inner.head(name)).slice(0, 40) }
    },
  },
]

const numbered = (number: number) => digest(`0x${number.toString(16).padStart(64, '0')}`)
