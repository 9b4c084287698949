import { statSync } from 'node:fs'
import { basename } from 'node:path'
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

/** The pages of its log after which SQLite copies them into the file: its default. */
const usualCheckpoint = 1000

/**
 * Completes the main file of a database in WAL mode, and keeps it unchanged while commits go on into
 * the log, so that any process can copy the file as it is at this moment. Returns a function that
 * ends this. Must not be called within a transaction, nor while the file is held.
 *
 * @throws an error when another connection reads the file
 */
export function holdFile(file: DatabaseSync): () => void {
  const done = file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (done?.busy !== 0) throw new Error('its database is read by another connection')
  file.exec('PRAGMA wal_autocheckpoint = 0')
  return () => {
    if (file.isOpen) file.exec(`PRAGMA wal_autocheckpoint = ${usualCheckpoint}`)
  }
}

/**
 * Returns a check that an open SQLite file is still the one at its path. SQLite does not notice in WAL
 * mode that its file was removed or replaced: what it commits then is lost when the process ends.
 *
 * @returns a function that throws an error as SQLite does for a file that cannot be opened
 */
export function requireSameFile(path: string): () => void {
  if (path === ':memory:') return () => undefined
  const opened = inodeOf(path)
  return () => {
    if (inodeOf(path) === opened) return
    const errstr = `${basename(path)} was removed or replaced; put it back and start the server again`
    throw Object.assign(new Error(errstr), {
      code: 'ERR_SQLITE_ERROR',
      errcode: cannotOpen,
      errstr,
    })
  }
}

/** SQLITE_CANTOPEN */
const cannotOpen = 14

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
