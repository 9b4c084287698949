import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { privateFile } from '../platform/private-file.ts'
import { sqliteDialect } from '../platform/sql/sqlite-dialect.ts'
import { issueFencingToken, type JobStore } from './job-store.ts'
import { createTables, type Database } from './schema.ts'

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
    // One commit for all of them: each one waits for the disk.
    await db.transaction().execute(createTables)
    return jobStore(file, db)
  } catch (error) {
    file.close()
    throw error
  }
}

function jobStore(file: DatabaseSync, db: Kysely<Database>): JobStore {
  return {
    db,
    create: ({ create }) => db.transaction().execute(create),
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
