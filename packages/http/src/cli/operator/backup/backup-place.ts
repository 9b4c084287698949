import { join, resolve, sep } from 'node:path'
import type { FileSteps, Objects } from '@heirloom/adapters/internal/backup'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import { type ErasedBlobs, encodeErased, erasedFile } from '@heirloom/adapters/keys'
import { readS3Url } from '../../../config/read-storage.ts'
import { readErased } from '../../../server/erasing/server-erasures.ts'
import { UsageError } from '../../arguments/command.ts'

export declare namespace openPlace {
  type Options = {
    readonly forWriting: boolean
    /** The data folder, in which no backup may be, and which may be in no backup. */
    readonly folder: string
    readonly steps?: FileSteps | undefined
  }
}

/** The name of the argument in messages. */
const argument = 'The place of the backup'

/**
 * Opens the place of a backup: a folder, or `s3://bucket/prefix` with the options of BLOB_URL.
 *
 * @throws UsageError, `config/invalid`, `folder/in-use`, `backup/unavailable`
 */
export async function openPlace(
  text: string,
  { forWriting, folder, steps }: openPlace.Options,
): Promise<Objects> {
  // Loaded only here: a server needs none of it.
  const { bucketObjects, folderObjects } = await import('@heirloom/adapters/internal/backup')
  if (text.startsWith('s3:')) return bucketObjects(readS3Url(argument, text))
  if (/^[a-z0-9+.-]+:\/\//i.test(text))
    throw new UsageError(`${argument} is a folder or an s3:// URL.`)
  const place = resolve(text)
  if (isWithin(place, folder) || isWithin(folder, place)) {
    throw new UsageError(`${argument} must be apart from the data folder ${folder}.`)
  }
  return folderObjects(place, { forWriting, ...(steps && { steps }) })
}

const isWithin = (one: string, other: string): boolean =>
  `${one}${sep}`.startsWith(`${other}${sep}`)

/** Returns the digests of erased blobs in hexadecimal, as the names of blocks have them. */
export const namesOfErased = (blobs: ErasedBlobs): ReadonlySet<string> =>
  new Set([...blobs.keys()].map((digest) => digest.slice(2)))

/** The list of the erased blobs of a data folder, as a backup saves it. */
export const erasedListOf = (folder: string) => ({
  name: erasedFile,
  path: join(folder, erasedFile),
  read: () => namesOfErased(readErased(folder)),
})

/** Adds the blobs that the target knows as erased to those of the backup: none comes back. */
export function addErased(folder: string, staging: string): void {
  const all = readErased(folder, staging)
  if (all.size > 0) replaceFile(join(staging, erasedFile), encodeErased(all))
}
