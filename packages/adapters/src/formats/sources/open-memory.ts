import { basename } from 'node:path/posix'
import { buffer } from 'node:stream/consumers'
import type { Omission } from '../import-report.ts'
import { decodeUtf8 } from '../importers/json-file.ts'
import { isOpenMemoryBackup } from '../importers/mem0.ts'
import { inputLimits, throwMalformed } from '../source-file.ts'
import type { ArchiveEntries } from './archive/archive-entry.ts'
import { openZip } from './archive/zip-entries.ts'
import type { ReadSource } from './read-source.ts'

const backup = 'memories.json'

/** Returns whether a zip is a backup of OpenMemory. @throws `import/malformed` for a damaged one */
export async function isOpenMemory(path: string): Promise<boolean> {
  return (await findBackup(path)) !== undefined
}

/**
 * Reads the zip that OpenMemory makes of its memories: `memories.json`, which has all of them. The
 * compressed lines beside it have the same memories once more, and are left out.
 *
 * @throws `import/malformed` for a zip that is another one, damaged, or longer than an import may be
 */
export async function readOpenMemory(path: string): Promise<ReadSource> {
  return (await findBackup(path)) ?? throwMalformed('The zip', 'it is no backup of OpenMemory')
}

async function findBackup(path: string): Promise<ReadSource | undefined> {
  const archive = await openZip(path)
  try {
    const bytes = await readBackup(archive)
    return bytes && { file: { path: backup, bytes }, left: archive.others.map(describeOther) }
  } finally {
    await archive.close()
  }
}

async function readBackup({ entries }: ArchiveEntries): Promise<Uint8Array | undefined> {
  const [entry, ...others] = entries
  if (entry === undefined || others.length > 0 || basename(entry.path) !== backup) return undefined
  if (entry.bytes > inputLimits.bytes) {
    throwMalformed(entry.path, `it has ${entry.bytes} bytes; the limit is ${inputLimits.bytes}`)
  }
  const bytes = await buffer(entry.read())
  return isOpenMemoryBackup(tryParse(bytes)) ? bytes : undefined
}

function tryParse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}

const describeOther = (what: string): Omission => ({
  what,
  why: what.endsWith('memories.jsonl.gz')
    ? `${backup} has the same memories`
    : 'it is no part of a backup of OpenMemory',
})
