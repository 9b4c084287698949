import {
  type BlobStorage,
  type BlobVerification,
  type Digest,
  Failure,
  type OpenBlobStore,
} from '@heirloom/core'
import { memoryBlobStorage } from '../../src/fakes/blob-storage.ts'
import type { BlobStorageHarness } from '../../src/harness.ts'
import type { Broken } from './faulty-harness.ts'

/** A broken blob storage for each law. */
export const brokenBlobStorages: readonly Broken<BlobStorageHarness>[] = [
  {
    law: 'returns after a reopening what was put before',
    fault: 'loses the second blob of an opening when it closes',
    open: openingWith((store) => {
      const put: Digest[] = []
      return {
        ...store,
        put: async (bytes) => {
          const name = await store.put(bytes)
          put.push(name)
          return name
        },
        close: async () => {
          if (put[1] !== undefined) await store.remove(put[1])
          await store.close()
        },
      }
    }),
  },
  {
    law: 'retains a blob whose put succeeded during closing',
    fault: 'loses what is being put when it closes',
    open: openingWith((store) => {
      let isClosed = false
      return {
        ...store,
        put: async (bytes) => {
          const name = await store.put(bytes)
          if (isClosed) await store.remove(name)
          return name
        },
        close: async () => {
          isClosed = true
          await store.close()
        },
      }
    }),
  },
  {
    law: 'reads locally what was put, and refuses an unknown digest with `blob/not-found`',
    fault: 'adds a byte to what it reads locally',
    open: openingWith((store) => ({
      ...store,
      local: {
        ...store.local,
        get: async (name) => Uint8Array.of(...(await store.local.get(name)), 0),
      },
    })),
  },
  {
    law: 'reads locally no blob that only a peer has',
    fault: 'asks its peer for a local read',
    open: openingWith((store) => ({ ...store, local: store })),
  },
  {
    law: 'sweeps unclaimed blobs of an earlier opening',
    fault: 'sweeps nothing',
    open: openingWith((store) => ({ ...store, sweep: async () => undefined })),
  },
  {
    law: 'retains claimed blobs',
    fault: 'forgets a claim',
    open: openingWith((store) => ({ ...store, claim: async () => undefined })),
  },
  {
    law: 'retains unclaimed blobs that are referenced',
    fault: 'sweeps without a look at references',
    open: openingWith((store) => ({ ...store, sweep: () => store.sweep(async () => false) })),
  },
  {
    law: 'retains unclaimed blobs of its own opening',
    fault: 'sweeps what it put itself',
    open: openingWith((store) => {
      const put = new Set<Digest>()
      return {
        ...recordPuts(store, put),
        sweep: async (isReferenced) => {
          await store.sweep(isReferenced)
          for (const name of put) await store.remove(name)
        },
      }
    }),
  },
  {
    law: 'retains what another storage at its place put',
    fault: 'sweeps what others put',
    open: async () => {
      const { beside, ...harness } = memoryBlobStorage()
      const put = new Set<Digest>()
      const storage = faulty(harness.storage, (store) => ({
        ...store,
        sweep: async (isReferenced) => {
          await store.sweep(isReferenced)
          for (const name of put) await store.remove(name)
        },
      }))
      return {
        ...harness,
        storage,
        beside: beside && faulty(beside, (store) => recordPuts(store, put)),
      }
    },
  },
  {
    law: 'claims with a promise, also what is not stored',
    fault: 'throws at a claim of what is not stored',
    open: openingWith((store) => {
      const put = new Set<Digest>()
      return {
        ...recordPuts(store, put),
        claim: (name) => {
          if (put.has(name)) return store.claim(name)
          throw new Failure('blob/not-found', { digest: name })
        },
      }
    }),
  },
  {
    law: 'verifies intact blobs as intact',
    fault: 'verifies nothing before a blob is damaged',
    open: openingVerifying(({ corrupt }) => ({ checked: corrupt.length, corrupt })),
  },
  {
    law: 'verifies a damaged blob as corrupt',
    fault: 'compares no digest',
    open: openingVerifying(({ checked }) => ({ checked, corrupt: [] })),
  },
  {
    law: 'lists the parts of a blob, and removes them one by one',
    fault: 'lists no parts',
    open: openingWith((store) => ({ ...store, parts: async () => [] })),
  },
]

/** Returns an opener of storages whose open stores have a fault. */
function openingWith(
  fault: (store: OpenBlobStore) => OpenBlobStore,
): () => Promise<BlobStorageHarness> {
  return async () => {
    const harness = memoryBlobStorage()
    return { ...harness, storage: faulty(harness.storage, fault) }
  }
}

/** Returns an opener of storages whose verification has a fault. */
function openingVerifying(
  fault: (result: BlobVerification) => BlobVerification,
): () => Promise<BlobStorageHarness> {
  return async () => {
    const harness = memoryBlobStorage()
    const { open, verify } = harness.storage
    const storage = {
      open,
      verify: async (limit: number) =>
        fault((await verify?.(limit)) ?? { checked: 0, corrupt: [] }),
    }
    return { ...harness, storage }
  }
}

const faulty = (
  storage: BlobStorage,
  fault: (store: OpenBlobStore) => OpenBlobStore,
): BlobStorage => ({ ...storage, open: async () => fault(await storage.open()) })

function recordPuts(store: OpenBlobStore, put: Set<Digest>): OpenBlobStore {
  return {
    ...store,
    put: async (bytes) => {
      const name = await store.put(bytes)
      put.add(name)
      return name
    },
  }
}
