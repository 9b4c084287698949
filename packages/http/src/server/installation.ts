import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import { Failure } from '@heirloom/core'

/**
 * The identity of an installation, in its data folder. Copies of a folder share the `id`; a restored
 * copy has a higher `epoch` than its original. A `copy` must not write until an operator said that
 * the original never will again; `superseded` is an original that such a copy replaced.
 */
export type InstallationRecord = {
  readonly id: string
  readonly epoch: number
  /** Tells copies of one epoch apart. */
  readonly copy: string
  readonly state: 'writer' | 'copy' | 'superseded'
  /** The moment that a restored copy holds, in milliseconds since 1970; absent in an original. */
  readonly takenAt?: number
  /** The place of the original of a restored copy. */
  readonly original?: string
  /** The place of the folder when it last wrote; absent before its first start with this version. */
  readonly place?: FolderPlace
}

/** The place of a data folder: enough to notice that another one is a copy of it. */
export type FolderPlace = {
  /** The number of a file, which a copy does not share, unless it is that of a whole disk. */
  readonly file: string
  /** When the file was made, in nanoseconds since 1970; 0 where the file system does not say. */
  readonly born: string
  /** A digest that names the machine; absent where it has no id. */
  readonly machine?: string
  readonly path: string
  /** The name of the machine, for people. */
  readonly host: string
}

/** The file in a data folder that holds its identity. */
export const installationFile = 'installation.json'

/** The folder in a data folder with what a restore has not finished. */
export const unfinishedRestore = 'restore-unfinished'

/** Reads the identity of a data folder; `undefined` before its first start with this version. */
export function readInstallation(folder: string): InstallationRecord | undefined {
  const path = join(folder, installationFile)
  if (!existsSync(path)) return undefined
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as InstallationRecord
    if (/^[0-9a-f-]{36}$/.test(record.id) && Number.isSafeInteger(record.epoch)) return record
  } catch {
    // Reported below, without the parser's message, which quotes the text.
  }
  const problem = `${installationFile} is damaged; restore it from a backup`
  throw new Failure('folder/unusable', { folder, problem })
}

/** Replaces the identity of a data folder atomically. */
export const writeInstallation = (folder: string, record: InstallationRecord): void =>
  replaceFile(join(folder, installationFile), `${JSON.stringify(record, undefined, 2)}\n`)

/** Returns the identity of a data folder that this process has locked; a new one if it has none. */
export function ensureInstallation(folder: string): InstallationRecord {
  const known = readInstallation(folder)
  if (known !== undefined) return known
  const created = { id: randomUUID(), epoch: 1, copy: randomUUID(), state: 'writer' } as const
  writeInstallation(folder, created)
  return created
}

/**
 * Refuses a data folder that must not write: a restored copy whose original may still write, an
 * original that a copy replaced, or one whose restore was cut off. Writes nothing.
 *
 * @throws `folder/copied`, `folder/superseded`, `folder/unusable`
 */
export function requireWriter(folder: string): void {
  if (existsSync(join(folder, unfinishedRestore))) {
    const problem = 'a restore into it was cut off; run heirloom restore again'
    throw new Failure('folder/unusable', { folder, problem })
  }
  const record = readInstallation(folder)
  if (record?.state === 'superseded') throw new Failure('folder/superseded', { folder })
  if (record?.state !== 'copy') return
  throw new Failure('folder/copied', { folder, original: record.original ?? 'its original' })
}
