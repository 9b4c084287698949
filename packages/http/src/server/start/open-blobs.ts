import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isStoreEmpty } from '@heirloom/adapters/internal/job-queries'
import type { PackNotes } from '@heirloom/adapters/internal/pack-notes'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { Erasures, OpenBlobStore } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { logRefusal } from '../../observability/log-events.ts'
import { guardErased } from '../erasing/server-erasures.ts'
import { blobStorageOf } from '../open-blob-storage.ts'
import { isNeeded } from '../packs/open-packs.ts'
import { storageFolder } from '../whole-folder.ts'

/** Opens the blob storage of a server, which neither returns nor stores what was erased. */
export async function openBlobs(
  config: Config,
  { folder, erasures }: { readonly folder: string; readonly erasures: Pick<Erasures, 'find'> },
  logger: () => FastifyBaseLogger | undefined,
): Promise<OpenBlobStore> {
  const place = join(folder, storageFolder(config))
  const storage = await blobStorageOf(config, {
    folder: place,
    onRefusal: (refusal) => logRefusal(logger(), refusal),
    isErased: (digest) => erasures.find(digest) !== undefined,
  })
  const store = await storage.open()
  // A module may need no folder; an empty one still says that the blobs are in its store.
  mkdirSync(place, { recursive: true })
  return guardErased(store, erasures)
}

export declare namespace sweepBlobs {
  type Parts = {
    readonly blobStore: Pick<OpenBlobStore, 'sweep'>
    readonly store: JobStore
    readonly notes: Pick<PackNotes, 'has'>
  }
}

/**
 * Removes the orphans of a killed process, unless a job or a seal needs them. A pack with a note is no
 * orphan: the sweep of packs removes it. Jobs that were lost, or are older than the chain, do not tell
 * what was minted, so all orphans stay for good; `unknown` is the number of transactions that they do
 * not know.
 */
export async function sweepBlobs(
  { blobStore, store, notes }: sweepBlobs.Parts,
  unknown: Promise<number>,
): Promise<void> {
  const isForgetful = (await unknown) > 0 || (await isStoreEmpty(store))
  await blobStore.sweep(
    async (digest) => isForgetful || (await isNeeded(store, digest)) || (await notes.has(digest)),
  )
}
