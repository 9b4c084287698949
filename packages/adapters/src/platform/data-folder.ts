import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@heirloom/core'
import { folderFailure } from './disk-problem.ts'
import { makeFolder, privateFile, syncFolderNow } from './durable-files.ts'

/** The folder with all data of one server, locked while it is open. */
export type DataFolder = {
  readonly path: string
  /** Returns the secret stored as `name`, or creates one in a file that only this user can read. */
  secret(name: string, make: () => string): string
  close(): void
}

/**
 * Opens a data folder for this process alone, and creates it where it is missing.
 *
 * The operating system holds the lock, so it is released when the process ends, even by a crash.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export function openDataFolder(path: string): DataFolder {
  const folder = resolve(path)
  const lock = withFolderFailure(folder, () => {
    makeFolder(folder, 0o700)
    // SQLite calls a lock on a read-only disk an I/O error.
    accessSync(folder, constants.W_OK)
    return lockFolder(folder)
  })
  return {
    path: folder,
    secret: (name, make) => withFolderFailure(folder, () => readOrCreateSecret(folder, name, make)),
    close: () => {
      if (lock.isOpen) lock.close()
    },
  }
}

function withFolderFailure<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw folderFailure(folder, cause)
  }
}

function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(privateFile(join(folder, 'lock.sqlite')), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

function readOrCreateSecret(folder: string, name: string, make: () => string): string {
  const file = join(folder, name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const secret = make()
  replaceFile(file, secret)
  return secret
}

/** Replaces a file atomically and durably by one that only this user can read. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.unfinished`
  writeFileSync(temporary, text, { mode: 0o600, flush: true })
  renameSync(temporary, path)
  // Without this a power loss may undo the rename, and lose the only copy of a key.
  syncFolderNow(dirname(path))
}

/** The access that other users have to a data folder. */
export type Openness = 'closed' | 'was-open' | 'open'

/** The files that mark a data folder, and the files that a new file system brings along. */
const ownFiles = ['lock.sqlite', 'chain.sqlite', 'jobs.sqlite', 'agent.key', 'master.keys', 'blobs']
const filesystemFiles = ['lost+found']

/**
 * Removes the access of other users to an existing data folder. Returns `was-open` when they had
 * access until now, and `open` when they still have it because another user owns the folder.
 *
 * @throws `folder/unusable` for a folder that is shared on purpose, or holds files of other programs
 */
export function restrictToOwner(path: string): Openness {
  const folder = resolve(path)
  const stats = statSync(folder, { throwIfNoEntry: false })
  // Windows has no such file modes.
  if (process.platform === 'win32' || !stats?.isDirectory()) return 'closed'
  if ((stats.mode & 0o077) === 0) return 'closed'
  const mode = (stats.mode & 0o7777).toString(8)
  if ((stats.mode & 0o1000) !== 0) refuse(folder, `is shared with other users (mode ${mode})`)
  if (stats.uid !== process.getuid?.()) return 'open'
  if (!isDataFolder(folder))
    refuse(folder, `holds other files, and other users can enter it (mode ${mode})`)
  chmodSync(folder, 0o700)
  return 'was-open'
}

function isDataFolder(folder: string): boolean {
  const names = readdirSync(folder).filter((name) => !filesystemFiles.includes(name))
  return names.length === 0 || ownFiles.some((name) => existsSync(resolve(folder, name)))
}

function refuse(folder: string, reason: string): never {
  const problem = `it ${reason}; choose a folder of its own as DATA_DIR, or chmod 700 this one`
  throw new Failure('folder/unusable', { folder, problem })
}
