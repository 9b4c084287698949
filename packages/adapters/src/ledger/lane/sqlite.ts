import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { createTables, type Database } from './schema.ts'
import { beginEpoch, type Store } from './store.ts'

/** Opens the store in a file, for this process alone; `:memory:` keeps nothing. */
export async function sqliteStore(path: string): Promise<Store> {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
    `)
    const db = new Kysely<Database>({ dialect: dialectOf(file) })
    await createTables(db)
    return storeOn(file, db)
  } catch (error) {
    file.close()
    throw error
  }
}

// Kysely asks for the shape of better-sqlite3, which takes parameters as one list.
function dialectOf(file: DatabaseSync): SqliteDialect {
  const prepared = remembering((text) => statementOf(file, text))
  return new SqliteDialect({ database: { close: () => file.close(), prepare: prepared } })
}

function statementOf(file: DatabaseSync, text: string) {
  const statement = file.prepare(text)
  type Parameters = Parameters_<typeof statement.all>
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => statement.all(...(values as Parameters)),
    run: (values: readonly unknown[]) => statement.run(...(values as Parameters)),
    iterate: (values: readonly unknown[]) => statement.iterate(...(values as Parameters)),
  }
}

/** How many statements are kept prepared; lists of many lengths make many of them. */
const mostPrepared = 500

/** Returns a function that answers what it was asked before as it did then. */
function remembering<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text) ?? answer(text)
    if (known.size >= mostPrepared) known.clear()
    known.set(text, found)
    return found
  }
}

type Parameters_<F> = F extends (...values: infer V) => unknown ? V : never

function storeOn(file: DatabaseSync, db: Kysely<Database>): Store {
  return {
    db,
    commit: (work, lazily) =>
      lazily === undefined
        ? db.transaction().execute(work)
        : db.connection().execute(async (connection) => {
            // Nobody else commits while this one holds the only connection.
            file.exec('PRAGMA synchronous = NORMAL')
            try {
              return await connection.transaction().execute(work)
            } finally {
              file.exec('PRAGMA synchronous = FULL')
            }
          }),
    lead: async (lane) => {
      const epoch = await beginEpoch(db, lane)
      return { epoch, lost: new AbortController().signal, release: async () => undefined }
    },
    announce: async () => undefined,
    subscribe: () => () => undefined,
    close: () => db.destroy(),
  }
}
