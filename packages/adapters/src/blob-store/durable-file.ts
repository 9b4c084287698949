import {
  closeSync,
  fstatSync,
  fsync,
  openSync,
  read as readInThread,
  readSync,
  writeFile as writeFileInThread,
  writeFileSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const read = promisify(readInThread)
const sync = promisify(fsync)
const writeFile = promisify(writeFileInThread)

/** Up to this length, in bytes, handing a file to another thread takes longer than the file. */
const short = 262_144

/** Reads a whole file in one piece. */
export async function readWhole(path: string): Promise<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(fstatSync(file).size)
    if (bytes.length <= short) return bytes.subarray(0, readSync(file, bytes))
    return bytes.subarray(0, (await read(file, bytes, 0, bytes.length, 0)).bytesRead)
  } finally {
    closeSync(file)
  }
}

/** Writes a new file and returns once the disk has its bytes. */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = openSync(path, 'wx')
  try {
    if (bytes.length <= short) writeFileSync(file, bytes)
    else await writeFile(file, bytes)
    await sync(file)
  } finally {
    closeSync(file)
  }
}

/** Returns once the disk has the names in a folder. */
export async function syncFolder(path: string): Promise<void> {
  // Windows neither opens folders nor needs it: NTFS journals the names itself.
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    await sync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Makes a folder and those above it, and returns once the disk has their names. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  let made = path
  await syncFolder(dirname(made))
  while (made !== first) {
    made = dirname(made)
    await syncFolder(dirname(made))
  }
}
