import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  read as readAsync,
  readSync,
  renameSync,
  statSync,
  writeFile as writeFileAsync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const read = promisify(readAsync)
const sync = promisify(fsync)
const writeFile = promisify(writeFileAsync)

/** Up to this length, in bytes, synchronous I/O is faster than handing the file to the thread pool. */
const syncLimit = 262_144

/** Reads a whole file in one piece. */
export async function readWhole(path: string): Promise<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(fstatSync(file).size)
    if (bytes.length <= syncLimit) return bytes.subarray(0, readSync(file, bytes))
    return bytes.subarray(0, (await read(file, bytes, 0, bytes.length, 0)).bytesRead)
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a new file and waits for fsync. With another name `to` the file has that one before, and both
 * are durable after one wait for the disk: a power failure meanwhile may leave the name without its bytes.
 */
export async function writeSynced(
  path: string,
  bytes: Uint8Array,
  { mode = 0o666, to }: { readonly mode?: number; readonly to?: string | undefined } = {},
): Promise<void> {
  const file = openSync(path, 'wx', mode)
  try {
    if (bytes.length <= syncLimit) writeFileSync(file, bytes)
    else await writeFile(file, bytes)
    if (to !== undefined) renameSync(path, to)
    // The file stays open until both have ended.
    const ends = await Promise.allSettled([sync(file), to && syncFolder(dirname(to))])
    for (const it of ends) if (it.status === 'rejected') throw it.reason
  } finally {
    closeSync(file)
  }
}

/** Returns the result of an act on a file; `undefined` when the file is gone. */
export async function ifPresent<T>(act: Promise<T>): Promise<T | undefined> {
  try {
    return await act
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined
    throw error
  }
}

/** The files of one SQLite database; SQLite creates the others with the mode of the first. */
const suffixes = ['', '-wal', '-shm', '-journal']

/**
 * Creates a SQLite file that only this user can access, or removes the access of other users to an
 * existing one, and returns its path. `:memory:` is no file.
 */
export function privateFile(path: string): string {
  if (path === ':memory:') return path
  // An existing file must not be opened here: closing it would release this process's locks on it.
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
  for (const suffix of suffixes) restrictToOwner(`${path}${suffix}`)
  return path
}

function restrictToOwner(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  // Only the owner can change a file mode, and Windows has none.
  if (!stats?.isFile() || stats.uid !== process.getuid?.()) return
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}

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
