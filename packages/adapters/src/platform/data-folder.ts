import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@heirloom/core'
import { folderFailure } from './folder-failure.ts'
import { privateFile } from './private-file.ts'

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
    makeFolder(folder)
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

/** Node's own recursive way tries for ever where the file system takes no folders, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return
  if (!existsSync(path) && dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error
  }
}

function lockIn(folder: string): DatabaseSync {
  const lock = new DatabaseSync(privateFile(join(folder, 'lock.sqlite')), { timeout: 0 })
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

/** What others may do with a folder that a server keeps everything in. */
export type Openness = 'closed' | 'was-open' | 'open'

/** What a folder holds that was one of ours before, or comes with a fresh disk. */
const ours = ['lock.sqlite', 'chain.sqlite', 'jobs.sqlite', 'agent.key', 'master.keys', 'blobs']
const ofDisks = ['lost+found']

/**
 * Takes from other users what they may do with a data folder that is there: `was-open` where they
 * could do something until now, `open` where only its owner, who is not this user, can end that.
 *
 * @throws `folder/unusable` for a folder that is shared on purpose, or holds what is not ours
 */
export function closeToOthers(path: string): Openness {
  const folder = resolve(path)
  const stats = statSync(folder, { throwIfNoEntry: false })
  // Windows has no such modes.
  if (process.platform === 'win32' || !stats?.isDirectory()) return 'closed'
  if ((stats.mode & 0o077) === 0) return 'closed'
  const mode = (stats.mode & 0o7777).toString(8)
  if ((stats.mode & 0o1000) !== 0) refuse(folder, `is shared with other users (mode ${mode})`)
  if (stats.uid !== process.getuid?.()) return 'open'
  if (!isOurs(folder))
    refuse(folder, `holds other files, and other users can enter it (mode ${mode})`)
  chmodSync(folder, 0o700)
  return 'was-open'
}

function isOurs(folder: string): boolean {
  const names = readdirSync(folder).filter((name) => !ofDisks.includes(name))
  return names.length === 0 || ours.some((name) => existsSync(resolve(folder, name)))
}

function refuse(folder: string, what: string): never {
  const problem = `it ${what}; choose a folder of its own as DATA_DIR, or chmod 700 this one`
  throw new Failure('folder/unusable', { folder, problem })
}
