import {
  closeSync,
  fstatSync,
  fsync,
  openSync,
  read as readAsync,
  readSync,
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
