import {
  type BlobStorage,
  type BlobStore,
  type Digest,
  isFailure,
  type OpenBlobStore,
} from '@heirloom/core'
import type { BlobStorageHarness } from '../harness.ts'
import { memoryBlobStore } from './blob-store.ts'

/** Creates a blob storage in memory that can be opened again and again, and what is around it. */
export function memoryBlobStorage(): Required<BlobStorageHarness> {
  const peer = memoryBlobStore()
  const place = { stored: memoryBlobStore(), names: new Set<Digest>(), damaged: new Set<Digest>() }
  return {
    storage: storageAt(place, peer),
    beside: storageAt(place, peer),
    peer,
    damage: async (name) => {
      place.damaged.add(name)
    },
  }
}

/** The state that storages at one place share: the blobs, their names, and those that are damaged. */
type Place = {
  readonly stored: BlobStore
  readonly names: Set<Digest>
  readonly damaged: Set<Digest>
}

function storageAt(place: Place, peer: BlobStore): BlobStorage {
  const { names, damaged } = place
  const unclaimed = new Set<Digest>()
  return {
    open: async () => openAt(place, { peer, unclaimed }),
    verify: async (limit) => {
      const newest = [...names].toReversed().slice(0, limit)
      return { checked: newest.length, corrupt: newest.filter((name) => damaged.has(name)) }
    },
  }
}

type Notes = { readonly peer: BlobStore; readonly unclaimed: Set<Digest> }

function openAt({ stored, names, damaged }: Place, { peer, unclaimed }: Notes): OpenBlobStore {
  const orphans = [...unclaimed]
  const remove = async (name: Digest) => {
    for (const set of [names, damaged, unclaimed]) set.delete(name)
    await stored.remove(name)
  }
  return {
    put: async (bytes, headLength) => {
      const name = await stored.put(bytes, headLength)
      names.add(name)
      damaged.delete(name)
      unclaimed.add(name)
      return name
    },
    get: orPeer(stored.get, peer.get),
    head: orPeer(stored.head, peer.head),
    remove,
    parts: async (name) => (names.has(name) ? [name] : []),
    removeParts: async (all) => {
      for (const name of all) await remove(name)
    },
    local: { get: stored.get, head: stored.head },
    claim: async (name) => {
      unclaimed.delete(name)
    },
    sweep: async (isReferenced) => {
      for (const name of orphans.splice(0)) {
        unclaimed.delete(name)
        if (!(await isReferenced(name))) await remove(name)
      }
    },
    close: async () => undefined,
  }
}

/** Reads here first, and from the peer what is not here. */
function orPeer(here: BlobStore['get'], there: BlobStore['get']): BlobStore['get'] {
  return (name, stretch) =>
    here(name, stretch).catch((error: unknown) => {
      if (!isFailure(error, 'blob/not-found')) throw error
      return there(name, stretch)
    })
}
