import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type BlobStorage,
  type Digest,
  Failure,
  type FailureCode,
  isFailure,
  whileOpen,
} from '@heirloom/core'
import type { BlobStorageHarness } from '@heirloom/testkit'
import type { BlobStoreSource } from '../../../config/read-storage.ts'
import { blobStorageOf } from '../../../server/open-blob-storage.ts'
import type { Installation } from './installation.ts'

/** Empty blob storages on which laws are checked. */
type ScratchStorages = {
  readonly open: () => Promise<BlobStorageHarness>
  /**
   * Refuses a module that ignores `prefix`: its laws would sweep the blobs of the installation.
   *
   * @throws `config/invalid`, `blob/unavailable`
   */
  readonly requirePrefix: () => Promise<void>
  /** Removes every blob that was put, and the folders. */
  readonly remove: () => Promise<void>
}

/**
 * Returns empty storages of the kind that an installation has: on the same disk, or at the same
 * address, but apart from its blobs.
 */
export function scratchStorages({ config, folder }: Installation): ScratchStorages {
  const cleanups: (() => Promise<void>)[] = []
  const newFolder = () => {
    const temporary = mkdtempSync(join(folder, 'doctor-'))
    cleanups.push(async () => rmSync(temporary, { recursive: true, force: true }))
    return temporary
  }
  const storageAt = (place: { readonly folder: string; readonly prefix: string }) =>
    blobStorageOf({ ...config, network: undefined }, place)
  const open = async () => {
    const temporary = newFolder()
    const prefix = `${basename(temporary)}/`
    const storage = await storageAt({ folder: join(temporary, 'blobs'), prefix })
    if (config.blobStore === undefined) return { storage }
    const beside = await storageAt({ folder: join(temporary, 'beside'), prefix })
    const put = new Set<Digest>()
    // A folder is removed as a whole; objects elsewhere are removed one by one.
    cleanups.push(() => removeAll(storage, put))
    cleanups.push(() => clearBucket(config.blobStore, prefix))
    return { storage: recordPuts(storage, put), beside: recordPuts(beside, put) }
  }
  return {
    open,
    requirePrefix: async () => {
      const { storage } = await open()
      const outside = await storageAt({ folder: join(newFolder(), 'blobs'), prefix: '' })
      await requireApart(storage, outside)
    },
    remove: async () => {
      for (const cleanUp of cleanups.toReversed()) await cleanUp()
    },
  }
}

async function requireApart(storage: BlobStorage, outside: BlobStorage): Promise<void> {
  const digest = await whileOpen(storage, (store) => store.put(randomBytes(64)))
  const isApart = await whileOpen(outside, ({ get }) =>
    get(digest).then(() => false, rethrowUnless('blob/not-found')),
  )
  if (isApart) return
  const problem =
    'names a module that ignores prefix, so that the laws are not checked: they would remove the blobs of a server'
  throw new Failure('config/invalid', { name: 'BLOB_STORE', problem })
}

/** Removes the parts of blobs that are too short to be removed with their blob. */
async function clearBucket(source: BlobStoreSource | undefined, prefix: string): Promise<void> {
  if (source?.kind !== 's3') return
  const { clearScratch } = await import('@heirloom/adapters/blob-store/s3')
  await clearScratch({ ...source.place, prefix: source.place.prefix + prefix })
}

const rethrowUnless = (code: FailureCode) => (error: unknown) => {
  if (isFailure(error, code)) return true
  throw error
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

function removeAll(storage: BlobStorage, digests: ReadonlySet<Digest>): Promise<void> {
  return whileOpen(storage, async (store) => {
    for (const digest of digests) await store.remove(digest)
  })
}
