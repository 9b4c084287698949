import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsync,
  openSync,
  read as readAsync,
  readSync,
  statSync,
  writeFile as writeFileAsync,
  writeFileSync,
} from 'node:fs'
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

/** Writes a new file and waits for fsync. */
export async function writeSynced(path: string, bytes: Uint8Array, mode = 0o666): Promise<void> {
  const file = openSync(path, 'wx', mode)
  try {
    if (bytes.length <= syncLimit) writeFileSync(file, bytes)
    else await writeFile(file, bytes)
    await sync(file)
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
