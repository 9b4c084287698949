import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { privateFile } from '../platform/private-file.ts'
import { migrateTables, type VersionedTables } from '../platform/sql/migrate-tables.ts'
import { sqliteDialect } from '../platform/sql/sqlite-dialect.ts'
import { issueFencingToken, type JobStore } from './job-store.ts'
import { type Database, jobTables } from './schema.ts'

/** Opens a job store in a file, for this process alone; `:memory:` writes no file. */
export async function sqliteJobStore(path: string): Promise<JobStore> {
  const file = new DatabaseSync(privateFile(path), { timeout: 0 })
  try {
    file.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
    `)
    const db = new Kysely<Database>({ dialect: sqliteDialect(file) })
    await migrate(db, jobTables)
    return jobStore(file, db)
  } catch (error) {
    file.close()
    throw error
  }
}

// One commit for all steps: each commit waits for the disk.
const migrate = (db: Kysely<Database>, tables: VersionedTables): Promise<void> =>
  db.transaction().execute((trx) => migrateTables(trx, tables))

function jobStore(file: DatabaseSync, db: Kysely<Database>): JobStore {
  return {
    db,
    migrate: (tables) => migrate(db, tables),
    commit: (work, lazily) =>
      lazily === undefined
        ? db.transaction().execute(work)
        : db.connection().execute(async (connection) => {
            // No other commit runs meanwhile: this is the only connection.
            file.exec('PRAGMA synchronous = NORMAL')
            try {
              return await connection.transaction().execute(work)
            } finally {
              file.exec('PRAGMA synchronous = FULL')
            }
          }),
    lead: async (lane) => {
      const fencingToken = await db.transaction().execute((trx) => issueFencingToken(trx, lane))
      return { fencingToken, lost: new AbortController().signal, release: async () => undefined }
    },
    announce: async () => undefined,
    subscribe: () => () => undefined,
    close: () => db.destroy(),
  }
}
