import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { privateFile } from '../platform/private-file.ts'
import { sqliteDialect } from '../platform/sql/sqlite-dialect.ts'
import { createTables, type Database } from './schema.ts'
import { beginEpoch, type Store } from './job-store.ts'

/** Opens the store in a file, for this process alone; `:memory:` keeps nothing. */
export async function sqliteStore(path: string): Promise<Store> {
  const file = new DatabaseSync(privateFile(path), { timeout: 0 })
  try {
    file.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
    `)
    const db = new Kysely<Database>({ dialect: sqliteDialect(file) })
    await createTables(db)
    return storeOn(file, db)
  } catch (error) {
    file.close()
    throw error
  }
}

function storeOn(file: DatabaseSync, db: Kysely<Database>): Store {
  return {
    db,
    create: ({ create }) => create(db),
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
