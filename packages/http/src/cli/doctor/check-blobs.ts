import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { corruptBlocks, heliaBlobStore } from '@heirloom/adapters/blob-store'
import { blobFolder, partNeedingBlobs } from '../../server/whole-folder.ts'
import { type Finding, fail, ok, runCheck } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

const blockLimit = 1000

/** Checks the blob store with a probe, and verifies the digests of its newest blocks. */
export async function* checkBlobs(installation: Installation): AsyncGenerator<Finding> {
  const folder = join(installation.folder, blobFolder)
  if (!installation.has(blobFolder)) {
    yield missingBlobs(installation)
    return
  }
  if (installation.unavailable === undefined) {
    yield await runCheck('blob-store', 'Check the disk.', () => probe(folder))
  } else yield skipped('blob-store', installation.unavailable)
  yield await runCheck('blocks', 'Check the disk.', () => verifyBlocks(folder))
}

function missingBlobs({ folder, unavailable }: Installation): Finding {
  const needed = partNeedingBlobs(folder)
  if (needed === undefined) return skipped('blob-store', unavailable ?? 'there are no blobs yet')
  const sentence = `${join(folder, blobFolder)} is missing, and ${join(folder, needed)} needs it.`
  return fail('blob-store', sentence, 'Restore it from a backup.')
}

async function probe(folder: string): Promise<Finding> {
  const store = await heliaBlobStore({ folder })
  try {
    const bytes = randomBytes(64)
    const digest = await store.put(bytes)
    const isSame = bytes.equals(await store.get(digest))
    await store.remove(digest)
    if (isSame) return ok('blob-store', 'The store wrote, read and removed a probe.')
    return fail(
      'blob-store',
      'The store returned other bytes than it was given.',
      'Check the disk.',
    )
  } finally {
    await store.close()
  }
}

async function verifyBlocks(folder: string): Promise<Finding> {
  const { read, corrupt } = await corruptBlocks({ folder, most: blockLimit })
  if (corrupt.length === 0) return ok('blocks', `The newest ${read} blocks match their digests.`)
  const sentence = `Of the newest ${read} blocks, these are corrupt: ${corrupt.join(', ')}.`
  return fail('blocks', sentence, 'Restore them from a replica or a backup, and check the disk.')
}
