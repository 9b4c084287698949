import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { corruptBlocks, heliaBlobStore } from '@heirloom/adapters/blob-store'
import { type Finding, fail, found, ok } from './finding.ts'
import { type Site, skipped } from './installation.ts'
import { blobFolder, neededBlobs } from '../../server/whole-folder.ts'

const mostBlocks = 1000

/** Puts a probe into the blob store and takes it out again, and reads the newest blocks anew. */
export async function* blobFindings(site: Site): AsyncGenerator<Finding> {
  const folder = join(site.folder, blobFolder)
  if (!site.has(blobFolder)) {
    yield noBlobs(site)
    return
  }
  if (site.closed === undefined) {
    yield await found('blob-store', 'Look at the disk.', () => probed(folder))
  } else yield skipped('blob-store', site.closed)
  yield await found('blocks', 'Look at the disk.', () => reread(folder))
}

function noBlobs({ folder, closed }: Site): Finding {
  const needed = neededBlobs(folder)
  if (needed === undefined) return skipped('blob-store', closed ?? 'there are no blobs yet')
  const sentence = `${join(folder, blobFolder)} is missing, and ${join(folder, needed)} needs it.`
  return fail('blob-store', sentence, 'Restore it from a backup.')
}

async function probed(folder: string): Promise<Finding> {
  const store = await heliaBlobStore({ folder })
  try {
    const probe = randomBytes(64)
    const digest = await store.put(probe)
    const same = probe.equals(await store.get(digest))
    await store.remove(digest)
    if (same) return ok('blob-store', 'It gave back a probe that was put, and forgot it.')
    return fail('blob-store', 'It gave back other bytes than were put.', 'Look at the disk.')
  } finally {
    await store.close()
  }
}

async function reread(folder: string): Promise<Finding> {
  const { read, corrupt } = await corruptBlocks({ folder, most: mostBlocks })
  if (corrupt.length === 0) return ok('blocks', `The newest ${read} blocks have their digests.`)
  const sentence = `Of the newest ${read} blocks these no longer have their digests: ${corrupt.join(', ')}.`
  return fail('blocks', sentence, 'Restore them from a replica or a backup, and look at the disk.')
}
