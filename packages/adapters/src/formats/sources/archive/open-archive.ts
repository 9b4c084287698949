import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { throwMalformed } from '../../source-file.ts'
import {
  type ArchiveEntries,
  type ArchiveEntry,
  archiveLimits,
  isContentFile,
} from './archive-entry.ts'
import { type ConversationArchive, listArchive } from './conversation-archive.ts'
import { openZip } from './zip-entries.ts'

/** Returns whether a path is a zip, by its first bytes. */
async function isZip(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && ['504b0304', '504b0506'].includes(buffer.toString('hex'))
  } finally {
    await file.close()
  }
}

/**
 * Opens an export of ChatGPT or Claude: a zip, the folder of an unpacked one, or its file of
 * conversations. Lists its items, and leaves them in the files until `readParts`.
 *
 * @throws `import/malformed`
 */
export async function openArchive(path: string): Promise<ConversationArchive> {
  const files = await openFiles(path)
  try {
    return await listArchive(files)
  } catch (error) {
    await files.close()
    throw error
  }
}

async function openFiles(path: string): Promise<ArchiveEntries> {
  const found = await stat(path)
  if (!found.isDirectory()) {
    return (await isZip(path)) ? openZip(path) : openPlainFiles(dirname(path), [basename(path)])
  }
  const names = await readdir(path, { withFileTypes: true })
  const files = names.filter((entry) => entry.isFile() && isContentFile(entry.name))
  if (files.length === 0) throwMalformed('The folder', 'it has no conversations.json')
  const opened = await openPlainFiles(path, files.map(({ name }) => name).toSorted())
  const others = names.filter((entry) => !files.includes(entry)).map(({ name }) => name)
  return { ...opened, others }
}

/**
 * Opens files of an export that is not zipped.
 *
 * @throws `import/malformed` when they are longer than the limit
 */
async function openPlainFiles(folder: string, paths: readonly string[]): Promise<ArchiveEntries> {
  const files: FileHandle[] = []
  const close = async () => {
    for (const file of files) await file.close()
  }
  try {
    const entries: ArchiveEntry[] = []
    for (const path of paths) {
      const file = await open(join(folder, path), 'r')
      files.push(file)
      entries.push({ path, bytes: (await file.stat()).size, read: () => readFrom(file) })
    }
    requireBounded(entries)
    return { entries, others: [], close }
  } catch (error) {
    await close()
    throw error
  }
}

function requireBounded(entries: readonly ArchiveEntry[]): void {
  const { bytes: most } = archiveLimits
  const sum = entries.reduce((total, { bytes }) => total + bytes, 0)
  if (sum > most) throwMalformed('The export', `it has more than ${most / 2 ** 30} GiB`)
}

const readFrom = (file: FileHandle): AsyncIterable<Uint8Array> =>
  file.createReadStream({ start: 0, autoClose: false, highWaterMark: 2 ** 18 })
