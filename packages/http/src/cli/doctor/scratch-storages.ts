import { mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BlobStorage, Digest, OpenBlobStore } from '@heirloom/core'
import { blobStorageOf } from '../../server/open-blob-storage.ts'
import type { Installation } from './installation.ts'

/** Empty blob storages on which laws are checked. */
type ScratchStorages = {
  readonly open: () => Promise<{ readonly storage: BlobStorage }>
  /** Removes every blob that was put, and the folders. */
  readonly remove: () => Promise<void>
}

/**
 * Returns empty storages of the kind that an installation has: on the same disk, or at the same
 * address, but apart from its blobs.
 */
export function scratchStorages({ config, folder }: Installation): ScratchStorages {
  const cleanups: (() => Promise<void>)[] = []
  return {
    open: async () => {
      const temporary = mkdtempSync(join(folder, 'doctor-'))
      cleanups.push(async () => rmSync(temporary, { recursive: true, force: true }))
      const place = { folder: join(temporary, 'blobs'), prefix: `${basename(temporary)}/` }
      const storage = await blobStorageOf({ ...config, network: undefined }, place)
      const put = new Set<Digest>()
      // A folder is removed as a whole; objects elsewhere are removed one by one.
      if (config.blobStore !== undefined) cleanups.push(() => removeAll(storage, put))
      return { storage: recordPuts(storage, put) }
    },
    remove: async () => {
      for (const cleanUp of cleanups.toReversed()) await cleanUp()
    },
  }
}

function recordPuts(storage: BlobStorage, put: Set<Digest>): BlobStorage {
  return {
    ...storage,
    open: async () => {
      const store = await storage.open()
      return { ...store, put: (bytes, headLength) => record(store.put(bytes, headLength), put) }
    },
  }
}

async function record(putting: Promise<Digest>, put: Set<Digest>): Promise<Digest> {
  const digest = await putting
  put.add(digest)
  return digest
}

async function removeAll(storage: BlobStorage, digests: ReadonlySet<Digest>): Promise<void> {
  const store: OpenBlobStore = await storage.open()
  try {
    for (const digest of digests) await store.remove(digest)
  } finally {
    await store.close()
  }
}
