import type { Kysely } from 'kysely'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import type { KeyStore } from './file-key-store.ts'
import { keyFormat } from './key-record.ts'
import { type KeyTables, keyTables } from './key-tables.ts'
import { documentInTable } from './stored-document.ts'

/** Opens the key store in a database, which several servers may share. */
export async function databaseKeyStore({ db, migrate }: databaseKeyStore.Input): Promise<KeyStore> {
  await migrate(keyTables)
  return {
    ...documentInTable(db, 'sealing_keys', keyFormat),
    destroyed: async () => {
      const rows = await db.selectFrom('destroyed_key').select('id').execute()
      return new Set(rows.map(({ id }) => id))
    },
    noteDestroyed: async (ids) => {
      if (ids.length === 0) return
      const rows = ids.map((id) => ({ id }))
      await db
        .insertInto('destroyed_key')
        .values(rows)
        .onConflict((it) => it.column('id').doNothing())
        .execute()
    },
  }
}

export declare namespace databaseKeyStore {
  type Input = {
    readonly db: Kysely<KeyTables>
    /** Brings tables of the database to their newest version, one process at a time. */
    readonly migrate: (tables: VersionedTables) => Promise<void>
  }
}
