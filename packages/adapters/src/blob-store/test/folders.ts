import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder for one test. */
export const emptyFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'heirloom-blobs-'))

/** Removes a folder with its content. */
export const remove = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true })

/** Lists the files of all blocks in a store's folder. */
export async function blockFiles(folder: string): Promise<readonly string[]> {
  const blocks = join(folder, 'blocks')
  const entries = await readdir(blocks, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Returns the path of the block with a digest. */
export function fileOf(folder: string, digest: string): string {
  const name = `1220${digest.slice(2)}`
  return join(folder, 'blocks', name.slice(-2), name)
}

/** Lists the temporary files. */
export const temporaryFiles = (folder: string): Promise<readonly string[]> =>
  readdir(join(folder, 'temporary'))
