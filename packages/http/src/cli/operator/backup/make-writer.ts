import {
  type Backup,
  type Objects,
  recordWriter,
  requireOwnPlace,
} from '@heirloom/adapters/internal/backup'
import { Failure, isFailure } from '@heirloom/core'
import {
  type InstallationRecord,
  readInstallation,
  writeInstallation,
} from '../../../server/installation.ts'
import { supersede } from './adopt-copy.ts'
import { openPlace } from './backup-place.ts'

type Copy = {
  readonly from: string
  /** A restored data folder that this process has locked. */
  readonly folder: string
  readonly objects: Objects
  readonly backup: Backup
}

/**
 * Makes a restored copy the one that writes. An original on this machine must not be in use, and is
 * kept from ever starting again; one elsewhere can no longer save to the place of the backup. Returns
 * notes on what could not be done.
 *
 * @throws `folder/in-use` when the original runs, `backup/superseded` when another copy writes already
 */
export async function makeWriter(copy: Copy): Promise<readonly string[]> {
  const { folder, objects, backup } = copy
  const own = readInstallation(folder)
  if (own === undefined) throw new Failure('folder/unusable', { folder, problem: 'it has no copy' })
  await requireOwnPlace(objects, backup.manifest, own)
  const { origin } = backup.manifest
  const isSeen = supersede(origin, { own, folder })
  const notes = await record(copy, own)
  writeInstallation(folder, { ...own, state: 'writer' })
  const unseen = `The original, ${origin.folder} on ${origin.host}, cannot be reached from here: make sure that it never starts again.`
  return isSeen ? notes : [unseen, ...notes]
}

/** Records at the place of the backup that the copy writes from now on. */
async function record({ from, folder }: Copy, own: InstallationRecord): Promise<readonly string[]> {
  try {
    const objects = await openPlace(from, { forWriting: true, folder })
    try {
      await recordWriter(objects, own)
    } finally {
      objects.close()
    }
    return []
  } catch (error) {
    if (!isFailure(error)) throw error
    return [`The backup could not be marked as that of the copy: ${error.message}`]
  }
}
