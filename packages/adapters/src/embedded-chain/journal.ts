import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Hex } from 'viem'
import { privateFile } from '../platform/private-file.ts'
import { folderFailure } from '../platform/folder-failure.ts'

/** What a chain starts from; kept from the first start on, since every block hash depends on it. */
export type Genesis = {
  readonly chainId: number
  /** Seconds since 1970. */
  readonly genesisTime: number
  readonly accounts: readonly { readonly address: Hex; readonly balance: bigint }[]
}

/** A signed transaction, with all that is needed to mine the same block again. */
export type Entry = {
  /** The number of the block that holds the transaction. */
  readonly number: number
  /** The hash of the block it builds upon, which pins every entry before it. */
  readonly parent: Hex
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly raw: Hex
}

/** The last block known to be reached. */
export type Head = { readonly number: number; readonly hash: Hex }

/** A chain's history on disk. */
export type Journal = {
  readonly genesis: Genesis
  /** The number of the last entry; 0 when there is none. */
  last(): number
  entry(number: number): Entry | undefined
  /** Returns at most so many entries from a number on, up to the first that is missing. */
  entries(first: number, most: number): readonly Entry[]
  head(): Head | undefined
  /** Returns once the entry would survive a loss of power. */
  add(entry: Entry): void
  remove(number: number): void
  /** Survives the end of the process at once, a loss of power with the next entry. */
  reach(head: Head): void
  /** Puts other entries in the place of all that have their numbers; all of it or nothing. */
  replace(entries: readonly Entry[], head: Head): void
  /** Returns once the file alone holds everything. */
  flush(): void
  close(): void
}

export declare namespace openJournal {
  type Options = {
    readonly folder: string
    /** Used when the folder holds no chain yet; absent where only one that is there will do. */
    readonly genesis: Genesis | undefined
  }
}

/** The file of a journal. */
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
 * Opens the journal in `folder` for this process alone, or starts one with `genesis`.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export function openJournal({ folder, genesis }: openJournal.Options): Journal {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(privateFile(join(folder, journalFile)), { timeout: 0 })
    prepare(db, genesis)
    return journalOn(db)
  } catch (cause) {
    db?.close()
    throw folderFailure(folder, cause)
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
  const found = db.prepare('PRAGMA user_version').get()?.user_version
  if (found === 0) create(db, genesis ?? missing())
  else if (found !== version) throw new Error(`its chain has the unknown format ${found}`)
  db.exec('COMMIT')
}

function missing(): never {
  throw new Error('it holds no chain')
}

function create(db: DatabaseSync, { chainId, genesisTime, accounts }: Genesis): void {
  db.exec(schema)
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

function journalOn(db: DatabaseSync): Journal {
  const last = db.prepare('SELECT coalesce(max(number), 0) AS number FROM entry')
  const columns = 'SELECT number, parent, timestamp, raw FROM entry'
  const entry = db.prepare(`${columns} WHERE number = ?`)
  const entries = db.prepare(`${columns} WHERE number >= ? ORDER BY number LIMIT ?`)
  const head = db.prepare('SELECT number, hash FROM head')
  // A refused entry that could not be removed is replaced by the next one.
  const add = db.prepare('INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM entry WHERE number = ?')
  const reach = db.prepare('INSERT OR REPLACE INTO head VALUES (1, ?, ?)')
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
    entries: (first, most) => {
      const rows = entries.all(first, most) as readonly object[] as readonly Row[]
      const gap = rows.findIndex(({ number }, place) => number !== first + place)
      return rows.slice(0, gap === -1 ? most : gap).map(entryOf)
    },
    head: () => head.get() as Head | undefined,
    add: (it) => write(it),
    replace: (others, { number, hash }) => {
      db.exec('BEGIN')
      for (const it of others) write(it)
      reach.run(number, hash)
      db.exec('COMMIT')
    },
    flush: () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    remove: (number) => withoutSync(db, () => remove.run(number)),
    reach: ({ number, hash }) => withoutSync(db, () => reach.run(number, hash)),
    // The last connection to close copies the log into the database.
    close: () => db.close(),
  }
}

type Row = Omit<Entry, 'raw'> & { readonly raw: Uint8Array }

const entryOf = ({ raw, ...row }: Row): Entry => ({
  ...row,
  raw: `0x${Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString('hex')}`,
})

// Replay finds out by itself what these writes say, so none of them is worth waiting for the disk.
function withoutSync(db: DatabaseSync, write: () => unknown): void {
  db.exec('PRAGMA synchronous = NORMAL')
  try {
    write()
  } finally {
    db.exec('PRAGMA synchronous = FULL')
  }
}
