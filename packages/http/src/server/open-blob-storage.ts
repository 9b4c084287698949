import { heliaBlobStorage } from '@heirloom/adapters/blob-store'
import type { S3Place } from '@heirloom/adapters/blob-store/s3'
import type { BlobPlace, BlobStorage, BlobStorageModule, CopyRefusal, Digest } from '@heirloom/core'
import type { Config } from '../config/config.ts'
import { guardBlobStorage } from './guard-blob-storage.ts'
import { importModule, wrongModule } from './import-module.ts'

/** The settings of the blob storage. */
export type BlobSettings = Pick<Config, 'blobStore' | 'network'>

/**
 * Returns the blob storage of a configuration: IPFS blocks in a folder or in a bucket, or the storage
 * of the module that BLOB_STORE names.
 *
 * @throws `config/invalid`
 */
export async function blobStorageOf(
  { blobStore, network }: BlobSettings,
  { folder, prefix = '', onRefusal, isErased }: blobStorageOf.Place,
): Promise<BlobStorage> {
  if (blobStore === undefined) {
    const copies = network?.copies && { ...network.copies, onRefusal }
    return heliaBlobStorage({ folder, network: network && { ...network, copies, isErased } })
  }
  if (blobStore.kind === 's3') return bucketStorage(blobStore.place, { folder, prefix })
  const { blobStorage } = await loadModule(blobStore.module)
  const storage = callModule(() => blobStorage({ folder, url: blobStore.url, prefix }))
  if (typeof storage?.open === 'function') return guardBlobStorage(storage)
  // A promise that nobody waits for must not end the process when it rejects.
  Promise.resolve(storage).catch(() => undefined)
  throw wrongModule('names a module whose blobStorage does not return an object with open')
}

export declare namespace blobStorageOf {
  type Place = Pick<BlobPlace, 'folder'> &
    Partial<Pick<BlobPlace, 'prefix'>> & {
      /** Is called when a copy of a peer is refused for want of room. */
      readonly onRefusal?: (refusal: CopyRefusal) => void
      /** Returns whether a block is of an erased memory, which is stored no more. */
      readonly isErased?: (digest: Digest) => boolean
    }
}

async function bucketStorage(
  place: S3Place,
  { folder, prefix }: Pick<BlobPlace, 'folder' | 'prefix'>,
): Promise<BlobStorage> {
  // Loaded only here: most servers have no bucket, and its client is large.
  const { s3BlobStorage } = await import('@heirloom/adapters/blob-store/s3')
  return s3BlobStorage({ place: { ...place, prefix: place.prefix + prefix }, folder })
}

async function loadModule(name: string): Promise<BlobStorageModule> {
  const { blobStorage } = await importModule<BlobStorageModule>(name).catch((cause: unknown) => {
    throw wrongModule('names a module that cannot be loaded', cause)
  })
  if (typeof blobStorage !== 'function') {
    throw wrongModule('names a module that does not export the function blobStorage')
  }
  return { blobStorage }
}

function callModule(make: () => BlobStorage): BlobStorage {
  try {
    return make()
  } catch (cause) {
    throw wrongModule('names a module whose blobStorage does not accept BLOB_URL', cause)
  }
}
