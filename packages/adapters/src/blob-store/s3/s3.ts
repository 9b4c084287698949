import { join } from 'node:path'
import type { BlobStorage, OpenBlobStore } from '@heirloom/core'
import { memoize } from '../../platform/memoize.ts'
import {
  ObjectStoreError,
  type S3Objects,
  type S3Place,
  s3Objects,
} from '../../platform/s3-objects.ts'
import { type BlobClaims, openBlobClaims } from '../blob-claims.ts'
import { unavailable } from '../blob-failure.ts'
import { blobsInBlocks } from '../block-blobs.ts'
import { loadTrees } from '../unixfs-trees.ts'
import { s3Blocks } from './s3-blocks.ts'
import { verifyObjects } from './verify-objects.ts'

export type { S3Place } from '../../platform/s3-objects.ts'

/**
 * Returns the storage of blobs as IPFS blocks in a bucket of any S3-compatible store, with the same
 * digests and the same names as in a folder. Unless they are given, credentials come from where
 * every AWS program finds them, such as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
 */
export function s3BlobStorage(input: s3BlobStorage.Input): BlobStorage {
  return {
    open: () => openStore(input),
    verify: (limit) => withObjects(input, (objects) => verifyObjects(objects, limit)),
    warnings: () => withObjects(input, warningsOf),
  }
}

export declare namespace s3BlobStorage {
  type Input = s3Objects.Options & {
    readonly place: S3Place
    /** The folder of the notes on unclaimed blobs; created when it does not exist. */
    readonly folder: string
  }
}

async function withObjects<T>(
  { place, ...options }: Omit<s3BlobStorage.Input, 'folder'>,
  act: (objects: S3Objects) => Promise<T>,
): Promise<T> {
  const objects = s3Objects(place, options)
  try {
    return await act(objects)
  } catch (error) {
    throw unavailable('examine its bucket', error)
  } finally {
    objects.close()
  }
}

/** The most names in one answer of a store. */
const longestPage = 1000

/**
 * Removes every object below the prefix of a place for scratch, which must not be empty.
 *
 * @throws `blob/unavailable`
 */
export async function clearScratch(place: S3Place): Promise<void> {
  if (place.prefix === '') throw new Error('Everything in a bucket is no scratch.')
  await withObjects({ place }, removePages)
}

async function removePages(objects: S3Objects): Promise<void> {
  const names = await objects.list('', longestPage)
  for (const name of names) await objects.remove(name)
  if (names.length > 0) await removePages(objects)
}

async function warningsOf(objects: S3Objects): Promise<readonly string[]> {
  if (!(await objects.keepsVersions())) return []
  return ['The bucket has versioning, so it keeps what is removed; erased memories stay in it.']
}

async function openStore({
  place,
  folder,
  ...options
}: s3BlobStorage.Input): Promise<OpenBlobStore> {
  const objects = s3Objects(place, options)
  try {
    await requireBucket(objects, place)
    return storeOf(objects, openClaims(folder))
  } catch (error) {
    objects.close()
    throw error
  }
}

function storeOf(objects: S3Objects, claims: BlobClaims): OpenBlobStore {
  const blocks = s3Blocks(objects)
  return {
    ...blobsInBlocks({ trees: memoize(loadTrees), blocks, store: blocks, claims }),
    clockAhead: objects.clockAhead,
    close: async () => {
      await blocks.settled()
      claims.close()
      objects.close()
    },
  }
}

function openClaims(folder: string): BlobClaims {
  try {
    return openBlobClaims(join(folder, 'unclaimed'))
  } catch (error) {
    throw unavailable('open its folder', error)
  }
}

/** The change that an operator has to make before a bucket can be used, by the answer of its store. */
const problems: Readonly<Record<string, string>> = {
  NoSuchBucket: 'which does not exist',
  AccessDenied: 'whose policy does not let these credentials list, read, write and delete objects',
  InvalidAccessKeyId: 'whose store does not know the access key',
  SignatureDoesNotMatch: 'whose store does not accept the secret of the access key',
  ExpiredToken: 'for which the session token has expired',
  InvalidToken: 'for which the session token is not valid',
  AuthorizationHeaderMalformed: 'which is in another region; name it in BLOB_URL',
  PermanentRedirect: 'which is in another region or at another endpoint; name it in BLOB_URL',
  RequestTimeTooSkewed: 'because the clock of this machine is wrong',
  CredentialsProviderError:
    'because there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
}

/**
 * Refuses a bucket that will not work until somebody changes it. A store that does not answer may
 * answer later, and a server can do much without it.
 */
async function requireBucket(objects: S3Objects, { bucket }: S3Place): Promise<void> {
  try {
    // Without the right to list, a missing object is AccessDenied, which says nothing.
    await objects.list('', 1)
  } catch (error) {
    const problem = error instanceof ObjectStoreError ? problems[error.reason] : undefined
    if (problem !== undefined) throw unavailable(`use the bucket ${bucket}, ${problem}`, error)
  }
}
