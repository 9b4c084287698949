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
        put: (bytes) => {
          putsSinceGet++
          return inner.put(bytes)
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
        put: async (bytes) => {
          const name = numbered(puts++)
          names.set(name, await inner.put(bytes))
          return name
        },
        get: (name) => inner.get(names.get(name) ?? name),
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
        put: async (bytes) => {
          const previous = active++ === 0 ? last : undefined
          last = previous ?? (await inner.put(bytes))
          active--
          return last
        },
        get: (name) => {
          last = undefined
          return inner.get(name)
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
        put: async (bytes) => {
          const name = await inner.put(bytes)
          if (unseen.has(name)) forgotten.add(name)
          unseen.add(name)
          return name
        },
        get: (name) => {
          unseen.delete(name)
          return inner.get(forgotten.has(name) ? numbered(0) : name)
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
        put: async (bytes) => {
          const isBusy = active++ > 0
          const name = await inner.put(bytes)
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
    fault: 'takes the unknown for empty',
    open: async () => {
      const inner = memoryBlobStore()
      return {
        put: inner.put,
        get: (name) =>
          inner.get(name).catch((error: unknown) => {
            if (isFailure(error, 'blob/not-found')) return new Uint8Array()
            throw error
          }),
      }
    },
  },
]

const numbered = (number: number) => digest(`0x${number.toString(16).padStart(64, '0')}`)
