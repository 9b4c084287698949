import { join } from 'node:path'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import { type ErasedBlobs, encodeErased, erasedFile } from '@heirloom/adapters/keys'
import { readErased } from '../../server/erasing/server-erasures.ts'

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
