import type { DatabaseSync } from 'node:sqlite'

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
