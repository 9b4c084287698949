import { DatabaseSync } from 'node:sqlite'
import { Kysely, type Transaction } from 'kysely'
import { privateFile } from '../platform/durable-files.ts'
import { createNewest } from '../platform/sql/create-newest.ts'
import { holdFile, requireSameFile } from '../platform/sql/inspect-file.ts'
import { migrateTables } from '../platform/sql/migrate-tables.ts'
import { sqliteDialect } from '../platform/sql/sqlite-dialect.ts'
import { createWholeFile, smallPages } from '../platform/sql/whole-file.ts'
import { type Database, jobTables, type LaneId } from './schema.ts'
import { issueFencingToken, type Store } from './store.ts'

/** Opens a store in a file, for this process alone; `:memory:` writes no file. */
export async function sqliteStore(path: string): Promise<Store> {
  createWholeFile(path, (file) => {
    file.exec(smallPages)
    createNewest(file, jobTables)
  })
  const file = new DatabaseSync(privateFile(path), { timeout: 0 })
  try {
    file.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA wal_autocheckpoint = 4000;
    `)
    const db = new Kysely<Database>({ dialect: sqliteDialect(file) })
    const store = jobStore(file, db, requireSameFile(path))
    await store.migrate(jobTables)
    return store
  } catch (error) {
    file.close()
    throw error
  }
}

function jobStore(file: DatabaseSync, db: Kysely<Database>, requireFile: () => void): Store {
  const newest = new Map<LaneId, number>()
  const commitLazily = <T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T> =>
    db.connection().execute(async (connection) => {
      // No other commit runs meanwhile: this is the only connection.
      file.exec('PRAGMA synchronous = NORMAL')
      try {
        return await connection.transaction().execute(work)
      } finally {
        file.exec('PRAGMA synchronous = FULL')
      }
    })
  return {
    db,
    isShared: false,
    now: () => Date.now(),
    // A durable commit makes all before it durable, so tables are durable with their first row.
    migrate: (tables) =>
      commitLazily(async (trx) => {
        if (!createNewest(file, tables)) await migrateTables(trx, tables)
      }),
    commit: async (work, lazily) => {
      requireFile()
      return lazily === undefined ? db.transaction().execute(work) : commitLazily(work)
    },
    lead: async (lane) => {
      // The same for a fencing token: what it protects is committed after it.
      const fencingToken = await commitLazily((trx) => issueFencingToken(trx, lane, Date.now()))
      const lost = new AbortController().signal
      newest.set(lane, fencingToken)
      return {
        fencingToken,
        lost,
        isHeld: () => true,
        isNewest: () => newest.get(lane) === fencingToken,
        release: async () => undefined,
      }
    },
    announce: async () => undefined,
    subscribe: () => () => undefined,
    // No transaction is open while nobody else has the only connection.
    hold: (also) =>
      db.connection().execute(async () => {
        const release = holdFile(file)
        try {
          const releaseOther = also()
          return () => {
            releaseOther()
            release()
          }
        } catch (error) {
          release()
          throw error
        }
      }),
    close: () => db.destroy(),
  }
}
