import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Notes on the copies that peers have stored here. */
export type CopyLog = {
  /**
   * Notes that a peer stores a block, by its digest in hexadecimal and its length in bytes. Returns
   * false, and notes nothing, when the peer would then have more than `limit` bytes here.
   */
  add(
    block: string,
    peer: string,
    room: { readonly length: number; readonly limit: number },
  ): boolean
  /** Removes the note of a block, unless it names this peer. */
  keepFromOthers(block: string, peer: string): void
  /** Returns whether a peer stored a block within a day, and removes the note. */
  take(block: string, peer: string): boolean
  /** Returns the bytes that each peer has stored and not taken back. */
  bytes(): ReadonlyMap<string, number>
  close(): void
}

/** The time within which a peer may take back a copy, in milliseconds. */
const reach = 86_400_000

/** Opens the notes in a folder. */
export function openCopyLog(folder: string, now: () => number = Date.now): CopyLog {
  const db = openNotes(join(folder, 'copies.sqlite'))
  const find = db.prepare('SELECT peer, length FROM copies WHERE block = ?')
  const add = db.prepare(
    'INSERT OR REPLACE INTO copies (block, peer, at, length) VALUES (?, ?, ?, ?)',
  )
  const forget = db.prepare('DELETE FROM copies WHERE at < ?')
  const keep = db.prepare('DELETE FROM copies WHERE block = ? AND peer <> ?')
  const take = db.prepare(
    'DELETE FROM copies WHERE block = ? AND peer = ? AND at >= ? RETURNING length',
  )
  const counts = countersIn(db)
  return {
    add: (block, peer, { length, limit }) =>
      atOnce(db, () => {
        // A note without its block is that of a put that failed; nothing is counted twice.
        const earlier = noteIn(find.get(block))
        const freed = earlier.peer === peer ? earlier.length : 0
        if (counts.of(peer) - freed + length > limit) return false
        counts.change(earlier.peer, -earlier.length)
        forget.run(now() - reach)
        add.run(block, peer, now(), length)
        counts.change(peer, length)
        return true
      }),
    keepFromOthers: (block, peer) => {
      keep.run(block, peer)
    },
    take: (block, peer) =>
      atOnce(db, () => {
        const taken = take.get(block, peer, now() - reach)
        if (taken) counts.change(peer, -Number(taken.length))
        return taken !== undefined
      }),
    bytes: counts.all,
    close: () => {
      if (db.isOpen) db.close()
    },
  }
}

/** Returns the peer of a note and the length of its block; nobody and 0 where there is no note. */
const noteIn = (row: Record<string, unknown> | undefined) => ({
  peer: String(row?.peer ?? ''),
  length: Number(row?.length ?? 0),
})

function openNotes(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec(
    'CREATE TABLE IF NOT EXISTS copies (block TEXT PRIMARY KEY, peer TEXT NOT NULL, at INTEGER NOT NULL, length INTEGER NOT NULL DEFAULT 0) STRICT',
  )
  // Notes of before lengths were counted; a program of that time writes none.
  const columns = db.prepare("SELECT name FROM pragma_table_info('copies')").all()
  if (columns.every(({ name }) => name !== 'length'))
    db.exec('ALTER TABLE copies ADD COLUMN length INTEGER NOT NULL DEFAULT 0')
  db.exec('CREATE INDEX IF NOT EXISTS copies_at ON copies (at)')
  db.exec('CREATE TABLE IF NOT EXISTS peers (peer TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT')
  return db
}

/** Returns the counted bytes of each peer. */
function countersIn(db: DatabaseSync) {
  const change = db.prepare(
    'INSERT INTO peers (peer, bytes) VALUES (?, ?) ON CONFLICT (peer) DO UPDATE SET bytes = bytes + excluded.bytes',
  )
  const find = db.prepare('SELECT bytes FROM peers WHERE peer = ?')
  const all = db.prepare('SELECT peer, bytes FROM peers ORDER BY peer')
  return {
    change: (peer: string, by: number) => {
      if (by !== 0) change.run(peer, by)
    },
    of: (peer: string) => Number(find.get(peer)?.bytes ?? 0),
    all: () => new Map(all.all().map(({ peer, bytes }) => [String(peer), Number(bytes)] as const)),
  }
}

function atOnce<T>(db: DatabaseSync, act: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = act()
    db.exec('COMMIT')
    return result
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}
