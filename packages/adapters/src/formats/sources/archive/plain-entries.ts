import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { throwMalformed } from '../../throw-malformed.ts'
import type { ArchiveEntries, ArchiveEntry } from './archive-entry.ts'
import { archiveLimits } from './archive-limits.ts'

/**
 * Opens files of an export that is not zipped.
 *
 * @throws `import/malformed` when they are longer than the limit
 */
export async function openPlainFiles(
  folder: string,
  paths: readonly string[],
): Promise<ArchiveEntries> {
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
