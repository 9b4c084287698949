import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { privateFile } from '../platform/durable-files.ts'
import { sqliteDialect } from '../platform/sql/sqlite-dialect.ts'
import type { CatalogueStore } from './catalogue-store.ts'
import { mergeSegments, sqliteFullText } from './full-text.ts'
import { type QueryWorker, queryWorker } from './queries/query-worker.ts'
import { sqliteReader } from './queries/sqlite-reader.ts'
import { catalogueName, createTables, type Database, type Identity } from './schema.ts'
import { sqliteTables } from './table.ts'

/**
 * Opens the catalogue in a file, for this process alone. A file that cannot be read, or that belongs
 * to another chain, is replaced by an empty one. Corruption further inside the file shows when it is
 * read: to check for it here would take longer with every event. Queries run in a worker that reads
 * the file; `:memory:` is lost at the end, and only this event loop can read it.
 */
export async function sqliteCatalogueStore(
  path: string,
  identity: Identity,
): Promise<CatalogueStore> {
  let file = await openOrCreate(path, identity)
  let db = new Kysely<Database>({ dialect: sqliteDialect(file) })
  const worker = path === ':memory:' ? localReader(file, db) : queryWorker(path)
  /** Whether the file was deleted and a new one was not created yet. */
  let isGone = false
  const never = new AbortController().signal
  return {
    get db() {
      return db
    },
    fullText: sqliteFullText,
    runQuery: worker.runQuery,
    mergeSearchIndex: async (trx) => {
      for (let count = 0; count < mergesPerWrite; count++) await mergeSegments.execute(trx)
    },
    placeholder: () => '?',
    isBroken: (error) => isGone || brokenCodes.has(errorCode(error)),
    isStoreError: (error) => isGone || errorCode(error) !== undefined,
    // A file has one writer at a time.
    lockCards: async () => undefined,
    inReadTransaction: (work) => db.transaction().execute(work),
    lead: async () => ({ lost: never, release: async () => undefined }),
    reset: async () => {
      isGone = true
      await worker.closeFile().catch(() => undefined)
      await db.destroy()
      file = await createFile(path, undefined, identity)
      db = new Kysely<Database>({ dialect: sqliteDialect(file) })
      isGone = false
    },
    close: async () => {
      await worker.end()
      await db.destroy()
    },
  }
}

/** The number of merges after cards were written; two keep up with the writes. */
const mergesPerWrite = 2

function localReader(file: DatabaseSync, db: Kysely<Database>): QueryWorker {
  const doNothing = async () => undefined
  return { runQuery: sqliteReader(file, db), closeFile: doNothing, end: doNothing }
}

// SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_CANTOPEN of a file that was removed
const brokenCodes: ReadonlySet<unknown> = new Set([11, 14, 26])

/** Returns the primary result code of an SQLite error. */
function errorCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: number }
  return errcode === undefined ? undefined : errcode & 0xff
}

async function openOrCreate(path: string, identity: Identity): Promise<DatabaseSync> {
  if (!existsSync(path)) return createFile(path, undefined, identity)
  const file = open(path)
  return isForeign(file, identity) ? createFile(path, file, identity) : file
}

// Fast, not durable: what a power failure takes from the end of the file is on the chain. The log
// may grow to 32 MB, because each checkpoint waits for the disk. A commit writes whole pages, of which
// each index by a hash has another one, so pages are small. What is removed leaves no bytes: it may
// have been of an erased memory.
function open(path: string, synchronous: 'NORMAL' | 'OFF' = 'NORMAL'): DatabaseSync {
  const file = new DatabaseSync(privateFile(path), { timeout: 0 })
  try {
    setUp(file, synchronous)
  } catch (error) {
    if (brokenCodes.has(errorCode(error))) return file
    file.close()
    throw error
  }
  return file
}

function setUp(file: DatabaseSync, synchronous: string): void {
  file.exec(`
    PRAGMA page_size = 2048;
    PRAGMA synchronous = ${synchronous};
    PRAGMA journal_mode = WAL;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -65536;
    PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = 16000;
  `)
}

function isForeign(file: DatabaseSync, identity: Identity): boolean {
  try {
    return file.prepare('SELECT name FROM meta').get()?.name !== catalogueName(identity)
  } catch {
    return true
  }
}

async function createFile(
  path: string,
  old: DatabaseSync | undefined,
  identity: Identity,
): Promise<DatabaseSync> {
  // What a power failure leaves of a first file, whose pages are all still in the log, is replaced.
  const synchronous = existsSync(path) ? 'NORMAL' : 'OFF'
  old?.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  const file = open(path, synchronous)
  try {
    file.exec('BEGIN')
    // One transaction: after a kill there are all tables or none.
    await createTables(new Kysely<Database>({ dialect: sqliteDialect(file) }), {
      name: catalogueName(identity),
      syntax: sqliteTables,
      fullText: sqliteFullText,
    })
    file.exec('COMMIT')
    file.exec('PRAGMA synchronous = NORMAL')
  } catch (error) {
    file.close()
    throw error
  }
  return file
}
