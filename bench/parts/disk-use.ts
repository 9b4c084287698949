import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The bytes that each part of a data folder takes on the disk. */
export type DiskUse = Readonly<Record<string, number>>

/** The length of the units in which the system counts what a file takes, in bytes. */
const unit = 512

/**
 * Returns what the parts of the data folder of a stopped server take on the disk: each file and
 * folder at its top with all that is in it, in whole blocks of the file system.
 */
export function diskUse(folder: string): DiskUse {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, sizeOf(join(folder, name))]))
}

function sizeOf(path: string): number {
  const stats = statSync(path)
  const own = stats.blocks * unit
  if (!stats.isDirectory()) return own
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), own)
}

/** Returns the bytes that each table and index of a SQLite file takes, and its free pages. */
export function tableSizes(path: string): DiskUse {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = file.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all()
    const free = file.prepare('PRAGMA freelist_count').get()?.freelist_count
    const page = file.prepare('PRAGMA page_size').get()?.page_size
    const tables = rows.map(({ name, bytes }) => [String(name), Number(bytes)])
    return { ...Object.fromEntries(tables), free: Number(free) * Number(page) }
  } finally {
    file.close()
  }
}

/** Returns what was added from one measurement to the next, for each of a number of tokens. */
export function perToken(before: DiskUse, after: DiskUse, tokens: number): DiskUse {
  return Object.fromEntries(
    Object.entries(after).map(([name, bytes]) => [name, (bytes - (before[name] ?? 0)) / tokens]),
  )
}
