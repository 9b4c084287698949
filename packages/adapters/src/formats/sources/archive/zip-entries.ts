import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { isFailure } from '@heirloom/core'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { throwMalformed } from '../../source-file.ts'
import {
  type ArchiveEntries,
  type ArchiveEntry,
  archiveLimits,
  isContentFile,
} from './archive-entry.ts'

/**
 * Opens a zip, also one of more than 4 GiB (zip64), and lists the files in it that have
 * conversations. A zip may come from anybody: names that lead out of a folder, names that occur
 * twice, entries that share bytes, and entries that expand too much are refused; symbolic links are
 * never read. Each reading is compared with size and checksum of the entry.
 *
 * @throws `import/malformed`
 */
export async function openZip(path: string): Promise<ArchiveEntries> {
  const file = await open(path, 'r')
  try {
    const zip = await readZip(() =>
      fromFdPromise(file.fd, { lazyEntries: true, autoClose: false, strictFileNames: true }),
    )
    const all = await readZip(() => listEntries(zip))
    requireDistinct(all)
    const isRead = (entry: Entry) => isContentFile(entry.fileName) && !isLink(entry)
    const read = all.filter(isRead)
    requireBounded(read)
    return {
      entries: read.map((entry) => archiveEntry(zip, entry, file)),
      others: all.filter((entry) => !isRead(entry)).map(describeEntry),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Runs a step of the reader, whose errors are about the zip. */
async function readZip<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (isFailure(error)) throw error
    throwMalformed('The zip', `it cannot be read (${String(Object(error).message)})`, error)
  }
}

async function listEntries(zip: ZipFile): Promise<readonly Entry[]> {
  const { entryCount } = zip
  const most = archiveLimits.entries
  if (entryCount > most) {
    throwMalformed('The zip', `it has ${entryCount} entries; the limit is ${most}`)
  }
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries.filter(({ fileName }) => !fileName.endsWith('/'))
}

/** @throws `import/malformed` when two entries have one name, or one place in the zip */
function requireDistinct(entries: readonly Entry[]): void {
  const names = new Set(entries.map(({ fileName }) => fileName))
  if (names.size < entries.length) throwMalformed('The zip', 'it has two entries of one name')
  const places = new Set(entries.map((entry) => entry.relativeOffsetOfLocalHeader))
  if (places.size < entries.length) throwMalformed('The zip', 'two of its entries share bytes')
}

/** @throws `import/malformed` when entries are encrypted, or would expand beyond the limits */
function requireBounded(entries: readonly Entry[]): void {
  const { bytes: most, expansion } = archiveLimits
  let sum = 0
  for (const entry of entries) {
    if (!entry.canDecodeFileData()) {
      throwMalformed(entry.fileName, 'it is encrypted or compressed in an unusual way')
    }
    const { uncompressedSize: size, compressedSize } = entry
    const isBomb = size > 64 * 2 ** 20 && size > compressedSize * expansion
    if (isBomb) throwMalformed(entry.fileName, `it expands more than ${expansion} times`)
    sum += size
    if (sum > most) throwMalformed('The zip', `it expands to more than ${most / 2 ** 30} GiB`)
  }
}

const archiveEntry = (zip: ZipFile, entry: Entry, file: FileHandle): ArchiveEntry => ({
  path: entry.fileName,
  bytes: entry.uncompressedSize,
  read: () => readEntry(zip, entry, file),
})

async function* readEntry(zip: ZipFile, entry: Entry, file: FileHandle) {
  const { mtimeMs, size } = await file.stat()
  const stream = await readZip(() => zip.openReadStreamPromise(entry))
  let sum = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    if (isFailure(error)) throw error
    throwMalformed(entry.fileName, `it is damaged (${String(Object(error).message)})`, error)
  } finally {
    stream.destroy()
  }
  if (sum !== entry.crc32) throwMalformed(entry.fileName, 'its checksum (CRC-32) is wrong')
  const now = await file.stat()
  if (now.mtimeMs !== mtimeMs || now.size !== size) {
    throwMalformed('The zip', 'it was changed while it was read')
  }
}

/** Returns whether an entry is a symbolic link, by the mode that Unix programs write. */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000
}

const describeEntry = (entry: Entry) =>
  isLink(entry) ? `${entry.fileName} (a symbolic link)` : entry.fileName
