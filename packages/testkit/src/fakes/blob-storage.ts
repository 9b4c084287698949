import {
  type BlobStorage,
  type BlobStore,
  type CardBlock,
  type Digest,
  decodeCard,
  isFailure,
  type OpenBlobStore,
  type Seal,
} from '@heirloom/core'
import type { BlobStorageHarness } from '../harness.ts'
import { memoryBlobStore } from './blob-store.ts'
import { memoryCipher } from './cipher.ts'

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

type Lookup<T> = (digest: Digest) => Promise<T | undefined>

/** A blob store, and lookups of the cards and the seals in its blobs. */
export type BlobLookups = {
  readonly blobStore: BlobStore
  /** Returns the card in a blob; `undefined` when the blob is missing or has no valid card. */
  readonly cards: Lookup<CardBlock>
  /** Returns the seal in the head of a blob; `undefined` when the blob is missing. */
  readonly seals: Lookup<Seal>
}

/** Adds lookups to a blob store, each of which reads a blob once until it is put or removed. */
export function blobLookups(inner: BlobStore): BlobLookups {
  const cipher = memoryCipher()
  const cards = remember(async (digest) => {
    const block = await inner.get(digest).catch(() => undefined)
    return block && decodeCard(block)
  })
  const seals = remember(async (digest) => {
    const head = await inner.head(digest).catch(() => undefined)
    return head && cipher.inspect(head)
  })
  const forget = (digest: Digest) => {
    cards.known.delete(digest)
    seals.known.delete(digest)
  }
  const blobStore: BlobStore = {
    ...inner,
    put: async (bytes, headLength) => {
      const digest = await inner.put(bytes, headLength)
      forget(digest)
      return digest
    },
    remove: async (digest) => {
      await inner.remove(digest)
      forget(digest)
    },
  }
  return { blobStore, cards: cards.look, seals: seals.look }
}

function remember<T>(read: Lookup<T>) {
  const known = new Map<Digest, Promise<T | undefined>>()
  const look: Lookup<T> = (digest) => {
    const found = known.get(digest) ?? read(digest)
    known.set(digest, found)
    return found
  }
  return { known, look }
}
