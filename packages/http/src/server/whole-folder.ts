import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasBlocks, hasRootBlock } from '@heirloom/adapters/internal/block-folder'
import { hasStoredTokens } from '@heirloom/adapters/internal/catalogue-file'
import { hasStoredJobs } from '@heirloom/adapters/internal/job-queries'
import { hasStoredEntries } from '@heirloom/adapters/internal/journal-file'
import { Failure } from '@heirloom/core'
import type { Config } from '../config/config.ts'
import type { BlobStoreSource } from '../config/read-storage.ts'
import { catalogueFile } from './open-catalogue.ts'
import { jobFile } from './open-job-store.ts'

/** The file in a data folder that holds the journal of the embedded chain. */
export const chainFile = 'chain.sqlite'

/** The file in a data folder that holds the key of the agent wallet. */
export const agentFile = 'agent.key'

/** The folder in a data folder that holds the blobs, unless a module stores them. */
export const blobFolder = 'blobs'

/** The folder in a data folder for the notes on blobs that a bucket or a module stores. */
export const moduleFolder = 'blob-store'

/** Returns the folder in a data folder that is for its blob storage. */
export const storageFolder = ({ blobStore }: Pick<Config, 'blobStore'>): string =>
  blobStore === undefined ? blobFolder : moduleFolder

type Whole = Pick<Config, 'chain' | 'agentKey' | 'keyService' | 'blobStore'>

/**
 * Refuses a data folder that lacks a part which its other parts need: a new chain, wallet or blob
 * store beside them would hide the loss of the old one. Writes nothing.
 *
 * @throws `folder/incomplete`, `config/invalid` when BLOB_STORE or BLOB_URL is not that of the folder
 */
export function requireWholeFolder(
  { chain, agentKey, keyService, blobStore }: Whole,
  folder: string,
): void {
  const otherStore = otherStoreOf({ blobStore }, folder)
  if (otherStore !== undefined) throw otherStore
  if (chain.kind !== 'embedded') return
  const isElsewhere = agentKey !== undefined || keyService !== undefined
  const hasAgent = isElsewhere || existsSync(join(folder, agentFile))
  const lost = [
    { missing: chainFile, beside: partNeedingChain(folder) },
    { missing: agentFile, beside: hasAgent ? undefined : journalOf(folder) },
    { missing: blobFolder, beside: blobStore ? undefined : partNeedingBlobs(folder) },
  ].find(({ beside }) => beside !== undefined)
  if (lost?.beside === undefined) return
  throw incomplete(join(folder, lost.missing), join(folder, lost.beside))
}

/**
 * Returns the failure of a configuration whose blob storage is not the one that a data folder was
 * used with, so that its memories would seem lost; `undefined` if it is, or has been since.
 */
export function otherStoreOf(
  { blobStore }: Pick<Config, 'blobStore'>,
  folder: string,
): Failure<'config/invalid'> | undefined {
  const [blobs, notes] = [join(folder, blobFolder), join(folder, moduleFolder)]
  if (blobStore !== undefined) {
    return existsSync(notes) || !hasBlobs(folder) ? undefined : elsewhereOf(blobStore.kind, blobs)
  }
  if (existsSync(blobs) || !existsSync(notes)) return undefined
  if (firstUsedPart(folder, [chainFile, catalogueFile, jobFile]) === undefined) return undefined
  const problem = `or BLOB_URL must be set, because ${notes} says that the blobs are in a bucket or in the store of a module; set it as before, or restore ${blobs} from a backup`
  return new Failure('config/invalid', { name: 'BLOB_STORE', problem })
}

/** Returns the failure of a place elsewhere that lacks the blobs of a folder. */
function elsewhereOf(kind: BlobStoreSource['kind'], blobs: string): Failure<'config/invalid'> {
  if (kind === 'module') {
    const problem = `must not be set, because ${blobs} has blobs that its module lacks; unset it, or put them into that store and rename ${blobs}`
    return new Failure('config/invalid', { name: 'BLOB_STORE', problem })
  }
  const problem = `must not be set, because ${blobs} has blobs that the bucket lacks; unset it, or copy the blocks into the bucket and rename ${blobs}, as docs/storage.md shows`
  return new Failure('config/invalid', { name: 'BLOB_URL', problem })
}

/**
 * Refuses a data folder that was used, because a file is missing that its parts need.
 *
 * @throws `folder/incomplete`
 */
export function requireUnusedFolder(folder: string, missing: string): void {
  const beside = firstUsedPart(folder)
  if (beside !== undefined) throw incomplete(missing, join(folder, beside))
}

const incomplete = (missing: string, beside: string) =>
  new Failure('folder/incomplete', { missing, beside })

/** Returns the part of a data folder that needs the missing chain; `undefined` if none does. */
export function partNeedingChain(folder: string): string | undefined {
  return hasChain(folder) ? undefined : firstUsedPart(folder, [catalogueFile, blobFolder, jobFile])
}

/** Returns the part of a data folder that needs the missing blobs; `undefined` if none does. */
export function partNeedingBlobs(folder: string): string | undefined {
  if (existsSync(join(folder, blobFolder))) return undefined
  return firstUsedPart(folder, [chainFile, catalogueFile, jobFile])
}

const journalOf = (folder: string) => (existsSync(join(folder, chainFile)) ? chainFile : undefined)

/** Returns the first of the given parts of a data folder that holds data of a memory. */
export function firstUsedPart(
  folder: string,
  parts: readonly string[] = [blobFolder, chainFile, catalogueFile, jobFile],
): string | undefined {
  return parts.find((part) => isUsed(folder, part))
}

function isUsed(folder: string, part: string): boolean {
  const path = join(folder, part)
  switch (part) {
    case blobFolder:
      return hasBlobs(folder)
    case chainFile:
      // The first two entries deploy the test dollar and the pair.
      return hasStoredEntries(path, 2)
    case catalogueFile:
      return hasStoredTokens(path)
    default:
      return hasStoredJobs(path)
  }
}

/** Returns whether a data folder holds a block of a memory or of a card. */
export const hasBlobs = (folder: string): boolean => hasBlocks(join(folder, blobFolder))

/** Returns whether a data folder holds the root block of a blob. */
export const hasBlob = (folder: string, digest: string): boolean =>
  hasRootBlock(join(folder, blobFolder), digest)

/** Returns whether a data folder holds a chain with any entry, or one that cannot be read. */
export const hasChain = (folder: string): boolean => hasStoredEntries(join(folder, chainFile))
