import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { folderFailure } from './chain/folder-failure.ts'

/** The folder that one server keeps everything in, locked for as long as it is open. */
export type DataFolder = {
  readonly path: string
  /** Reads the secret kept under `name`, or makes and keeps one that only this user can read. */
  secret(name: string, make: () => string): string
  close(): void
}

/**
 * Creates the folder where it is missing and takes it for this process alone.
 *
 * The lock is the operating system's, so it ends with the process, however that ends.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export function openDataFolder(path: string): DataFolder {
  const folder = resolve(path)
  const lock = usable(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return lockIn(folder)
  })
  return {
    path: folder,
    secret: (name, make) => usable(folder, () => secretIn(folder, name, make)),
    close: () => {
      if (lock.isOpen) lock.close()
    },
  }
}

function usable<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw folderFailure(folder, cause)
  }
}

function lockIn(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

function secretIn(folder: string, name: string, make: () => string): string {
  const file = join(folder, name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const secret = make()
  replaceFile(file, secret)
  return secret
}

/** Writes a file that only this user can read; after a crash it is there whole, as before or as now. */
export function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.unfinished`
  writeFileSync(unfinished, text, { mode: 0o600, flush: true })
  renameSync(unfinished, path)
  syncFolder(dirname(path))
}

// Without this a loss of power may forget the new name, and with it the only copy of a key.
function syncFolder(folder: string): void {
  // Windows offers no handle on a folder.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
