import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Reads a SQLite file that no process has open, and leaves no file beside it. */
export function inspectFile<T>(path: string, read: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    // Without an exclusive lock a reader would leave -wal and -shm files behind.
    file.exec('PRAGMA locking_mode = EXCLUSIVE')
    return read(file)
  } finally {
    file.close()
  }
}

/**
 * Returns whether a table in a SQLite file has a row that meets a condition: false when the file or
 * the table is missing, `undefined` when the file cannot be read.
 */
export function hasRow(path: string, table: string, condition = 'true'): boolean | undefined {
  // SQLite would remove the log beside an empty file, and nothing may be removed here.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  try {
    return inspectFile(path, (file) => {
      const tables = file.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
      if (tables.get(table) === undefined) return false
      return file.prepare(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`).get() !== undefined
    })
  } catch {
    return undefined
  }
}

/**
 * Returns the values that a query reads as `value` from a SQLite file that no process has open: none
 * when the file or the table is missing, or cannot be read.
 */
export function readValues(path: string, query: string): readonly string[] {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return []
  try {
    return inspectFile(path, (file) =>
      file
        .prepare(query)
        .all()
        .map(({ value }) => String(value)),
    )
  } catch {
    return []
  }
}
