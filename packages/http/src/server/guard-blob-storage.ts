import {
  type BlobStorage,
  type Digest,
  Failure,
  isFailure,
  type LengthBound,
  type OpenBlobStore,
  type Stretch,
  viewOf,
} from '@heirloom/core'
import { traceOf, wrongModule } from './import-module.ts'

/**
 * Returns the storage of a module as a storage that keeps to the port: each method returns a promise,
 * and each error is a failure of the port with the facts of the call. What the module says of an
 * error stays out: it may quote BLOB_URL, and the failure may go to a client.
 */
export function guardBlobStorage(storage: BlobStorage): BlobStorage {
  const { verify } = storage
  return {
    open: async () => guardStore(requireWhole(await call('open', () => storage.open()))),
    ...(verify && {
      verify: (limit) => call('verify its parts', () => verify.call(storage, limit)),
    }),
  }
}

/** Binds the methods of a store, which may be those of a class. */
function guardStore(store: OpenBlobStore): OpenBlobStore {
  const { local } = store
  return {
    put: (bytes, headLength) => call('store a blob', () => store.put(ownOf(bytes), headLength)),
    get: (digest, range) => read(digest, () => getFrom(store, digest, range)),
    head: (digest) => read(digest, () => store.head(digest)),
    remove: (digest) => call('remove a blob', () => store.remove(digest)),
    local: {
      get: (digest, range) => read(digest, () => getFrom(local, digest, range)),
      head: (digest) => read(digest, () => local.head(digest)),
    },
    claim: (digest) => call('claim a blob', () => store.claim(digest)),
    sweep: (isReferenced) => call('remove orphans', () => store.sweep(isReferenced)),
    close: () => call('close', () => store.close()),
  }
}

/**
 * Returns a copy of long bytes, which others may release: a module may use what it got or returned
 * again.
 */
const ownOf = (bytes: Uint8Array) => (bytes.length > longestShared ? bytes.slice() : bytes)

/** The longest blob that a store may share with those who put or get it, in bytes. */
const longestShared = 131_072

/** Reads from a store that may know no ranges, and then returns the whole blob. */
async function getFrom(
  store: Pick<OpenBlobStore, 'get'>,
  digest: Digest,
  range: Stretch | LengthBound | undefined,
): Promise<Uint8Array> {
  const bytes = await store.get(digest, range)
  const isStretch = range !== undefined && 'offset' in range && bytes.length === range.length
  return ownOf(isStretch ? bytes : viewOf({ digest, bytes }, range))
}

async function call<T>(operation: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new Failure('blob/unavailable', { operation }, { cause: traceOf(error) })
  }
}

async function read(digest: Digest, act: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await act()
  } catch (error) {
    const options = { cause: traceOf(error) }
    if (isFailure(error, 'blob/not-found')) throw new Failure(error.code, { digest }, options)
    if (isFailure(error, 'blob/corrupt')) throw new Failure(error.code, { digest }, options)
    throw new Failure('blob/unavailable', { operation: 'read a blob' }, options)
  }
}

const methods = ['put', 'get', 'head', 'remove', 'claim', 'sweep', 'close'] as const
const localMethods = ['get', 'head'] as const

/** Requires what the compiler requires, for a module may be JavaScript. */
function requireWhole(store: OpenBlobStore): OpenBlobStore {
  const missing = [
    ...methods.filter((method) => typeof store?.[method] !== 'function'),
    ...localMethods
      .filter((method) => typeof store?.local?.[method] !== 'function')
      .map((method) => `local.${method}`),
  ]
  if (missing.length === 0) return store
  throw wrongModule(`names a module whose store has no ${missing.join(', ')}`)
}
