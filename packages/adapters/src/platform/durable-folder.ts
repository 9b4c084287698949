import { closeSync, existsSync, fsync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const sync = promisify(fsync)

/**
 * Creates a folder and its parents, and makes their names durable. Node's `recursive` option never
 * returns in /proc, for example.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (!existsSync(path) && parent !== path) makeFolder(parent, mode)
  createFolder(path, mode)
  syncFolderNow(parent)
}

/** Creates a folder in an existing one, unless it exists; its name is not durable yet. */
export function createFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = openFolder(path)
  if (folder === undefined) return
  try {
    await sync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Makes the names in a folder durable, and blocks the event loop meanwhile. */
export function syncFolderNow(path: string): void {
  const folder = openFolder(path)
  if (folder === undefined) return
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

// Windows cannot open folders, and NTFS journals the names itself.
const openFolder = (path: string): number | undefined =>
  process.platform === 'win32' ? undefined : openSync(path, 'r')
