import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Hex } from 'viem'
import { folderFailure } from '../platform/disk-problem.ts'
import { privateFile } from '../platform/durable-files.ts'
import { holdFile, requireSameFile } from '../platform/sql/inspect-file.ts'
import { createWholeFile, smallPages } from '../platform/sql/whole-file.ts'

/** The initial state of a chain; stored at the first start, because every block hash depends on it. */
export type Genesis = {
  readonly chainId: number
  /** Seconds since 1970. */
  readonly genesisTime: number
  readonly accounts: readonly { readonly address: Hex; readonly balance: bigint }[]
}

/** A signed transaction with all data that is needed to mine the same block again. */
export type Entry = {
  /** The number of the block that holds the transaction. */
  readonly number: number
  /** The hash of the parent block, which commits to all entries before this one. */
  readonly parent: Hex
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly raw: Hex
}

/** The last block that is known to be mined. */
export type Head = { readonly number: number; readonly hash: Hex }

/** The durable history of a chain. */
export type Journal = {
  readonly genesis: Genesis
  /** The number of the last entry; 0 when there is none. */
  last(): number
  entry(number: number): Entry | undefined
  /** Returns up to `limit` entries from `first` on, and stops at the first missing number. */
  entries(first: number, limit: number): readonly Entry[]
  head(): Head | undefined
  /** Adds an entry durably: it survives a power loss when this returns. */
  add(entry: Entry): void
  remove(number: number): void
  /** Stores the head. It survives a crash of the process at once, a power loss after the next `add`. */
  saveHead(head: Head): void
  /** Requires that what is written stays: throws where the file was removed or replaced. */
  requireFile(): void
  /** Replaces the entries of the same numbers, and the head, in one transaction. */
  replace(entries: readonly Entry[], head: Head): void
  /** Copies the write-ahead log into the main file, so that the file alone is complete. */
  flush(): void
  /** The same, and keeps the main file unchanged until the result is called. */
  hold(): () => void
  close(): void
}

export declare namespace openJournal {
  type Options = {
    readonly folder: string
    /** The genesis of a new chain; absent to require an existing one. */
    readonly genesis: Genesis | undefined
  }
}

/** The file name of a journal. */
export const journalFile = 'chain.sqlite'

const version = 1

const schema = `
  CREATE TABLE genesis (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    chainId INTEGER NOT NULL,
    genesisTime INTEGER NOT NULL,
    accounts TEXT NOT NULL
  ) STRICT;
  CREATE TABLE entry (
    number INTEGER PRIMARY KEY,
    parent TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    raw BLOB NOT NULL
  ) STRICT;
  CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  PRAGMA user_version = ${version};
`

/**
 * Opens the journal in `folder` for this process alone, or creates one with `genesis`.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export function openJournal({ folder, genesis }: openJournal.Options): Journal {
  let db: DatabaseSync | undefined
  const path = join(folder, journalFile)
  try {
    if (genesis !== undefined) createWholeFile(path, (file) => create(file, genesis))
    db = new DatabaseSync(privateFile(path), { timeout: 0 })
    prepare(db, genesis)
    return journalOn(db, requireSameFile(path))
  } catch (cause) {
    db?.close()
    throw folderFailure(folder, cause, journalFile)
  }
}

function prepare(db: DatabaseSync, genesis: Genesis | undefined): void {
  db.exec(`
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    BEGIN EXCLUSIVE;
  `)
  const format = db.prepare('PRAGMA user_version').get()?.user_version
  if (format === 0) create(db, genesis ?? throwMissing())
  else if (format !== version) {
    throw new Error(
      `its chain has the unknown format ${format}; run the version of Heirloom that made it`,
    )
  }
  db.exec('COMMIT')
}

function throwMissing(): never {
  throw new Error('it holds no chain')
}

function create(db: DatabaseSync, { chainId, genesisTime, accounts }: Genesis): void {
  db.exec(`${smallPages} ${schema}`)
  const pairs = accounts.map(({ address, balance }) => [address, String(balance)])
  db.prepare('INSERT INTO genesis VALUES (1, ?, ?, ?)').run(
    chainId,
    genesisTime,
    JSON.stringify(pairs),
  )
}

function readGenesis(db: DatabaseSync): Genesis {
  const row = db.prepare('SELECT * FROM genesis').get()
  const { chainId, genesisTime, accounts } = row as Record<keyof Genesis, never>
  const pairs = JSON.parse(accounts) as readonly (readonly [Hex, string])[]
  return {
    chainId,
    genesisTime,
    accounts: pairs.map(([address, balance]) => ({ address, balance: BigInt(balance) })),
  }
}

function journalOn(db: DatabaseSync, requireFile: () => void): Journal {
  const last = db.prepare('SELECT coalesce(max(number), 0) AS number FROM entry')
  const columns = 'SELECT number, parent, timestamp, raw FROM entry'
  const entry = db.prepare(`${columns} WHERE number = ?`)
  const entries = db.prepare(`${columns} WHERE number >= ? ORDER BY number LIMIT ?`)
  const head = db.prepare('SELECT number, hash FROM head')
  // The next entry replaces a rejected one that could not be removed.
  const add = db.prepare('INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM entry WHERE number = ?')
  const saveHead = db.prepare('INSERT OR REPLACE INTO head VALUES (1, ?, ?)')
  const write = ({ number, parent, timestamp, raw }: Entry) => {
    add.run(number, parent, timestamp, Buffer.from(raw.slice(2), 'hex'))
  }
  return {
    genesis: readGenesis(db),
    last: () => Number(last.get()?.number),
    entry: (number) => {
      const row = entry.get(number) as Row | undefined
      return row && entryOf(row)
    },
    entries: (first, limit) => {
      const rows = entries.all(first, limit) as readonly object[] as readonly Row[]
      const gap = rows.findIndex(({ number }, index) => number !== first + index)
      return rows.slice(0, gap === -1 ? limit : gap).map(entryOf)
    },
    head: () => head.get() as Head | undefined,
    requireFile,
    add: (it) => {
      requireFile()
      write(it)
    },
    replace: (others, { number, hash }) => {
      db.exec('BEGIN')
      for (const it of others) write(it)
      saveHead.run(number, hash)
      db.exec('COMMIT')
    },
    flush: () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    hold: () => holdFile(db),
    remove: (number) => withoutSync(db, () => remove.run(number)),
    saveHead: ({ number, hash }) => withoutSync(db, () => saveHead.run(number, hash)),
    // SQLite copies the log into the database when the last connection closes.
    close: () => db.close(),
  }
}

type Row = Omit<Entry, 'raw'> & { readonly raw: Uint8Array }

const entryOf = ({ raw, ...row }: Row): Entry => ({
  ...row,
  raw: `0x${Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString('hex')}`,
})

// A replay restores what these writes store, so none of them needs to wait for the disk.
function withoutSync(db: DatabaseSync, write: () => unknown): void {
  db.exec('PRAGMA synchronous = NORMAL')
  try {
    write()
  } finally {
    db.exec('PRAGMA synchronous = FULL')
  }
}
