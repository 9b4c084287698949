import { createRequire } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { heliaBlobStorage } from '@heirloom/adapters/blob-store'
import {
  type BlobPlace,
  type BlobStorage,
  type BlobStorageModule,
  Failure,
  type OpenBlobStore,
} from '@heirloom/core'
import type { Config } from '../config/config.ts'

/** The settings of the blob storage. */
export type BlobSettings = Pick<Config, 'blobStore' | 'network'>

/**
 * Returns the blob storage of a configuration: IPFS blocks in a folder, or the storage of the module
 * that BLOB_STORE names.
 *
 * @throws `config/invalid`
 */
export async function blobStorageOf(
  { blobStore, network }: BlobSettings,
  { folder, prefix = '' }: Pick<BlobPlace, 'folder'> & Partial<Pick<BlobPlace, 'prefix'>>,
): Promise<BlobStorage> {
  if (blobStore === undefined) return heliaBlobStorage({ folder, network })
  const { blobStorage } = await loadModule(blobStore.module)
  const storage = callModule(() => blobStorage({ folder, url: blobStore.url, prefix }))
  return {
    open: async () => requireWhole(await storage.open()),
    ...(storage.verify && { verify: storage.verify.bind(storage) }),
  }
}

async function loadModule(name: string): Promise<BlobStorageModule> {
  const exports: Partial<BlobStorageModule> = await importModule(name).catch((cause: unknown) => {
    throw wrongModule('names a module that cannot be loaded', cause)
  })
  const { blobStorage } = exports
  if (typeof blobStorage !== 'function') {
    throw wrongModule('names a module that does not export the function blobStorage')
  }
  return { blobStorage }
}

async function importModule(name: string): Promise<Partial<BlobStorageModule>> {
  // A package is the one that the working directory would load.
  const path = isAbsolute(name)
    ? name
    : createRequire(join(process.cwd(), 'package.json')).resolve(name)
  return import(pathToFileURL(path).href)
}

function callModule(make: () => BlobStorage): BlobStorage {
  try {
    return make()
  } catch (cause) {
    throw wrongModule('names a module whose blobStorage does not accept BLOB_URL', cause)
  }
}

const methods = ['put', 'get', 'head', 'remove', 'claim', 'sweep', 'close'] as const
const localMethods = ['get', 'head'] as const

/** Requires what the compiler requires, for a module may be JavaScript; binds methods of a class. */
function requireWhole(store: OpenBlobStore): OpenBlobStore {
  const missing = [
    ...methods.filter((method) => typeof store[method] !== 'function'),
    ...localMethods
      .filter((method) => typeof store.local?.[method] !== 'function')
      .map((method) => `local.${method}`),
  ]
  if (missing.length > 0) {
    throw wrongModule(`names a module whose store has no ${missing.join(', ')}`)
  }
  return {
    put: (bytes, headLength) => store.put(bytes, headLength),
    get: (digest) => store.get(digest),
    head: (digest) => store.head(digest),
    remove: (digest) => store.remove(digest),
    local: {
      get: (digest) => store.local.get(digest),
      head: (digest) => store.local.head(digest),
    },
    claim: (digest) => store.claim(digest),
    sweep: (isReferenced) => store.sweep(isReferenced),
    close: () => store.close(),
  }
}

const wrongModule = (problem: string, cause?: unknown) =>
  new Failure('config/invalid', { name: 'BLOB_STORE', problem }, { cause })
