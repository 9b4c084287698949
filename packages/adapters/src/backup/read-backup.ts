import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder } from '../platform/durable-files.ts'
import type { Backup } from './backup.ts'
import { type FileSteps, fileSteps } from './folder-objects.ts'
import type { SavedFile } from './manifest.ts'
import type { Objects } from './objects.ts'
import { blockListName, readBlocks } from './saved-blocks.ts'
import { type Damage, readSavedFile } from './saved-files.ts'

export declare namespace readBackup {
  type Input = {
    readonly backup: Backup
    /** An empty folder. */
    readonly into: string
    /** The folder below it for blocks. */
    readonly blockFolder: string
    /** The names of files that are known; others are not written. */
    readonly files: readonly string[]
    /**
     * Returns, once the files are written, which blocks are of erased memories and stay away; none when
     * absent.
     */
    readonly readErased?: () => ReadonlySet<string>
    readonly steps?: FileSteps
  }
}

/**
 * Writes the files and blocks of a backup into an empty folder, each readable by this user alone, and
 * verifies every byte. Returns what is missing or damaged; the rest is durable when this returns.
 *
 * @throws `backup/unavailable`, and system errors
 */
export async function readBackup(
  objects: Objects,
  { backup, into, blockFolder, files, readErased, steps = fileSteps }: readBackup.Input,
): Promise<readonly Damage[]> {
  makeFolder(into, 0o700)
  const { list, damage } = await backup.blockList()
  const found = [...damage]
  for (const file of backup.manifest.files) {
    if (file.name === blockListName || !files.includes(file.name)) continue
    found.push(...(await restoreFile(objects, file, join(into, file.name))))
  }
  const folders = new Set<string>()
  const write = async (path: string, bytes: Uint8Array) => {
    const target = join(into, blockFolder, path)
    if (!folders.has(dirname(target))) makeFolder(dirname(target), 0o700)
    folders.add(dirname(target))
    await steps.write(target, bytes)
  }
  const erased = readErased?.() ?? new Set()
  const needed = new Map([...list].filter(([digest]) => !erased.has(digest)))
  found.push(...(await readBlocks(objects, needed, write)))
  for (const folder of folders) await syncFolder(folder)
  return found
}

async function restoreFile(
  objects: Objects,
  file: SavedFile,
  path: string,
): Promise<readonly Damage[]> {
  const target = openSync(path, 'wx', 0o600)
  try {
    const damage = await readSavedFile(objects, file, (bytes, at) => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(target, bytes, done, bytes.length - done, at + done)
    })
    fsyncSync(target)
    return damage
  } finally {
    closeSync(target)
  }
}
