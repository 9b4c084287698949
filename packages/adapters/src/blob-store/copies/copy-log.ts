import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Notes on the copies that peers have stored here lately. */
export type CopyLog = {
  /** Notes that a peer stores a block, by its digest in hexadecimal. */
  add(block: string, peer: string): void
  /** Removes the note of a block, unless it names this peer. */
  keepFromOthers(block: string, peer: string): void
  /** Returns whether a peer stored a block within a day, and removes the note. */
  take(block: string, peer: string): boolean
  close(): void
}

/** The time within which a peer may take back a copy, in milliseconds. */
const reach = 86_400_000

/** Opens the notes in a folder. */
export function openCopyLog(folder: string, now: () => number = Date.now): CopyLog {
  const db = new DatabaseSync(join(folder, 'copies.sqlite'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec(
    'CREATE TABLE IF NOT EXISTS copies (block TEXT PRIMARY KEY, peer TEXT NOT NULL, at INTEGER NOT NULL) STRICT',
  )
  db.exec('CREATE INDEX IF NOT EXISTS copies_at ON copies (at)')
  const add = db.prepare('INSERT OR REPLACE INTO copies (block, peer, at) VALUES (?, ?, ?)')
  const forget = db.prepare('DELETE FROM copies WHERE at < ?')
  const keep = db.prepare('DELETE FROM copies WHERE block = ? AND peer <> ?')
  const take = db.prepare('DELETE FROM copies WHERE block = ? AND peer = ? AND at >= ?')
  return {
    add: (block, peer) => {
      forget.run(now() - reach)
      add.run(block, peer, now())
    },
    keepFromOthers: (block, peer) => {
      keep.run(block, peer)
    },
    take: (block, peer) => take.run(block, peer, now() - reach).changes > 0,
    close: () => {
      if (db.isOpen) db.close()
    },
  }
}
