import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeErased, type ErasedBlobs, erasedFile, mergeErased } from '@heirloom/adapters/keys'

/** Reads the erased blobs of some data folders. */
export function readErased(...folders: readonly string[]): ErasedBlobs {
  const paths = folders.map((folder) => join(folder, erasedFile)).filter((it) => existsSync(it))
  return mergeErased(...paths.map((path) => decodeErased(readFileSync(path, 'utf8'))))
}
