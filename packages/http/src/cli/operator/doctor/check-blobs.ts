import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { OpenBlobStore } from '@heirloom/core'
import { blobFolder, otherStoreOf, partNeedingBlobs } from '../../../server/whole-folder.ts'
import { type Finding, fail, ok, runCheck, warn } from './finding.ts'
import {
  type Installation,
  mayHaveBlobs,
  skipped,
  storageOf,
  withBlobStore,
} from './installation.ts'

const blockLimit = 1000

/** Checks the blob store with a probe, and verifies the digests of its newest blocks. */
export async function* checkBlobs(installation: Installation): AsyncGenerator<Finding> {
  const otherStore = otherStoreOf(installation.config, installation.folder)
  if (otherStore !== undefined) {
    yield fail('blob-store', otherStore.message, 'Set BLOB_STORE and BLOB_URL as before.')
    return
  }
  if (!mayHaveBlobs(installation)) {
    yield missingBlobs(installation)
    return
  }
  const isElsewhere = installation.config.blobStore !== undefined
  const advice = isElsewhere ? 'Check BLOB_STORE and BLOB_URL.' : 'Check the disk.'
  if (installation.unavailable === undefined) {
    yield await runCheck('blob-store', advice, () =>
      withBlobStore(installation, (store) => probe(store, advice)),
    )
  } else yield skipped('blob-store', installation.unavailable)
  yield* verifyBlocks(installation, advice)
  yield* warnOfPlace(installation)
}

function missingBlobs({ folder, unavailable }: Installation): Finding {
  const needed = partNeedingBlobs(folder)
  if (needed === undefined) return skipped('blob-store', unavailable ?? 'there are no blobs yet')
  const sentence = `${join(folder, blobFolder)} is missing, and ${join(folder, needed)} needs it.`
  return fail('blob-store', sentence, 'Restore it from a backup.')
}

async function probe(store: OpenBlobStore, advice: string): Promise<Finding> {
  const bytes = randomBytes(64)
  const digest = await store.put(bytes)
  const isSame = bytes.equals(await store.get(digest))
  await store.remove(digest)
  if (isSame) return ok('blob-store', 'The store wrote, read and removed a probe.')
  return fail('blob-store', 'The store returned other bytes than it was given.', advice)
}

/** Verifies the newest blocks of a storage that can list them. */
async function* verifyBlocks(installation: Installation, advice: string): AsyncGenerator<Finding> {
  const storage = await storageOf(installation).catch(() => undefined)
  const { verify } = storage ?? {}
  // The check of the store itself has reported a storage that cannot be loaded.
  if (verify === undefined) return
  yield await runCheck('blocks', advice, async () => {
    const { checked, corrupt } = await verify(blockLimit)
    if (corrupt.length === 0) {
      return ok('blocks', `The ${checked} blocks that were read match their digests.`)
    }
    const sentence = `Of the ${checked} blocks that were read, these are corrupt: ${corrupt.join(', ')}.`
    return fail('blocks', sentence, 'Restore them from a replica or a backup, and check the disk.')
  })
}

/** Says what an operator should know of the place of the blobs. */
async function* warnOfPlace(installation: Installation): AsyncGenerator<Finding> {
  const storage = await storageOf(installation).catch(() => undefined)
  // The check of the store itself has reported a storage that cannot be loaded or read.
  const sentences = (await storage?.warnings?.().catch(() => [])) ?? []
  for (const sentence of sentences) yield warn('blob-place', sentence, 'Read docs/storage.md.')
}
