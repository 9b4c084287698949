import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect, sql } from 'kysely'
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
    return storeOn(db)
  } catch (error) {
    file.close()
    throw error
  }
}

// Kysely asks for the shape of better-sqlite3, which takes parameters as one list.
function dialectOf(file: DatabaseSync): SqliteDialect {
  return new SqliteDialect({
    database: {
      close: () => file.close(),
      prepare: (text) => {
        const statement = file.prepare(text)
        type Parameters = Parameters_<typeof statement.all>
        return {
          reader: statement.columns().length > 0,
          all: (values) => statement.all(...(values as Parameters)),
          run: (values) => statement.run(...(values as Parameters)),
          iterate: (values) => statement.iterate(...(values as Parameters)),
        }
      },
    },
  })
}

type Parameters_<F> = F extends (...values: infer V) => unknown ? V : never

function storeOn(db: Kysely<Database>): Store {
  return {
    db,
    commit: (work, lazily) =>
      lazily === undefined
        ? db.transaction().execute(work)
        : db.connection().execute(async (connection) => {
            await sql`PRAGMA synchronous = NORMAL`.execute(connection)
            try {
              return await connection.transaction().execute(work)
            } finally {
              await sql`PRAGMA synchronous = FULL`.execute(connection)
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
