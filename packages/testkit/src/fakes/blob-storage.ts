import { type BlobStore, type Digest, isFailure, type OpenBlobStore } from '@heirloom/core'
import type { BlobStorageHarness } from '../harness.ts'
import { memoryBlobStore } from './blob-store.ts'

/** Creates a blob storage in memory that can be opened again and again, and a peer of it. */
export function memoryBlobStorage(): Required<BlobStorageHarness> {
  const stored = memoryBlobStore()
  const peer = memoryBlobStore()
  const names = new Set<Digest>()
  const unclaimed = new Set<Digest>()
  const open = async (): Promise<OpenBlobStore> => {
    const orphans = [...unclaimed]
    return {
      put: async (bytes, headLength) => {
        const name = await stored.put(bytes, headLength)
        names.add(name)
        unclaimed.add(name)
        return name
      },
      get: orPeer(stored.get, peer.get),
      head: orPeer(stored.head, peer.head),
      remove: async (name) => {
        names.delete(name)
        unclaimed.delete(name)
        await stored.remove(name)
      },
      local: { get: stored.get, head: stored.head },
      claim: async (name) => {
        unclaimed.delete(name)
      },
      sweep: async (isReferenced) => {
        for (const name of orphans.splice(0)) {
          unclaimed.delete(name)
          if (!(await isReferenced(name))) await stored.remove(name)
        }
      },
      close: async () => undefined,
    }
  }
  const verify = async (limit: number) => ({ checked: Math.min(limit, names.size), corrupt: [] })
  return { storage: { open, verify }, peer }
}

/** Reads here first, and from the peer what is not here. */
function orPeer(here: BlobStore['get'], there: BlobStore['get']): BlobStore['get'] {
  return (name) =>
    here(name).catch((error: unknown) => {
      if (!isFailure(error, 'blob/not-found')) throw error
      return there(name)
    })
}
