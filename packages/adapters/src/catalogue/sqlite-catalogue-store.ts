import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { privateFile } from '../platform/private-file.ts'
import { sqliteDialect } from '../platform/sql/sqlite-dialect.ts'
import { sqliteFullText, tidying } from './full-text.ts'
import { createTables, type Database, type Identity, nameOf } from './schema.ts'
import { sqliteReader } from './queries/sqlite-reader.ts'
import type { Store } from './catalogue-store.ts'
import { type WorkerReader, workerReader } from './queries/query-worker.ts'

/**
 * Opens the catalogue in a file, for this process alone; one that cannot be read, or is of another
 * chain, is begun again. What is broken further on shows when it is read: to look for it here would
 * take longer with every event. Questions go to a worker that reads the file beside this thread;
 * `:memory:` keeps nothing, and only this thread can read it.
 */
export async function sqliteStore(path: string, identity: Identity): Promise<Store> {
  let file = open(path)
  if (isForeign(file, identity)) file = await begin(path, file, identity)
  let db = new Kysely<Database>({ dialect: sqliteDialect(file) })
  const worker = path === ':memory:' ? readerHere(file, db) : workerReader(path)
  /** Whether it was thrown away and could not be begun again yet. */
  let isGone = false
  const never = new AbortController().signal
  return {
    get db() {
      return db
    },
    fullText: sqliteFullText,
    ask: worker.ask,
    tidy: async (trx) => {
      for (let time = 0; time < tidyings; time++) await tidying.execute(trx)
    },
    parameter: () => '?',
    isBroken: (error) => isGone || brokenCodes.has(codeOf(error)),
    isOwn: (error) => isGone || codeOf(error) !== undefined,
    reading: (work) => db.transaction().execute(work),
    lead: async () => ({ lost: never, release: async () => undefined }),
    empty: async () => {
      isGone = true
      await worker.closeFile().catch(() => undefined)
      await db.destroy()
      file = await begin(path, undefined, identity)
      db = new Kysely<Database>({ dialect: sqliteDialect(file) })
      isGone = false
    },
    close: async () => {
      await worker.end()
      await db.destroy()
    },
  }
}

/** How often a little is merged after cards were written; twice keeps up with them. */
const tidyings = 2

function readerHere(file: DatabaseSync, db: Kysely<Database>): WorkerReader {
  const nothing = async () => undefined
  return { ask: sqliteReader(file, db), closeFile: nothing, end: nothing }
}

// SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_CANTOPEN of a file that was removed
const brokenCodes: ReadonlySet<unknown> = new Set([11, 14, 26])

/** Returns the code of an error of SQLite, without what tells more than that. */
function codeOf(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: number }
  return errcode === undefined ? undefined : errcode & 0xff
}

// The chain has everything that a loss of power could take from the end of the file.
function open(path: string): DatabaseSync {
  const file = new DatabaseSync(privateFile(path), { timeout: 0 })
  try {
    setUp(file)
  } catch (error) {
    if (brokenCodes.has(codeOf(error))) return file
    file.close()
    throw error
  }
  return file
}

function setUp(file: DatabaseSync): void {
  file.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -65536;
    PRAGMA temp_store = MEMORY;
  `)
}

function isForeign(file: DatabaseSync, identity: Identity): boolean {
  try {
    return file.prepare('SELECT name FROM meta').get()?.name !== nameOf(identity)
  } catch {
    return true
  }
}

async function begin(
  path: string,
  old: DatabaseSync | undefined,
  identity: Identity,
): Promise<DatabaseSync> {
  old?.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  const file = open(path)
  try {
    file.exec('BEGIN')
    // Whoever is killed half way must not find a catalogue without its last tables.
    await createTables(new Kysely<Database>({ dialect: sqliteDialect(file) }), {
      name: nameOf(identity),
      bytewise: 'text',
      fullText: sqliteFullText,
    })
    file.exec('COMMIT')
  } catch (error) {
    file.close()
    throw error
  }
  return file
}
