import type { Kysely } from 'kysely'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import { encodeKeyDocument, parseKeyDocument } from './key-document.ts'
import type { KeyStore } from './key-store.ts'

/** The tables of a key store. */
export type KeyTables = {
  /** A single row: the document, encoded as in a file. */
  sealing_keys: { id: 1; epoch: number; document: string }
  destroyed_key: { id: string }
  /** A single row: the tenants, encoded as in a file. */
  tenants: { id: 1; epoch: number; document: string }
}

async function createTables({ schema }: Kysely<KeyTables>): Promise<void> {
  await schema
    .createTable('sealing_keys')
    .ifNotExists()
    .addColumn('id', 'integer', (it) => it.primaryKey())
    .addColumn('epoch', 'bigint', (it) => it.notNull())
    .addColumn('document', 'text', (it) => it.notNull())
    .execute()
  await schema
    .createTable('destroyed_key')
    .ifNotExists()
    .addColumn('id', 'text', (it) => it.primaryKey())
    .execute()
}

// A server of the release before works on without tenants.
async function createTenants({ schema }: Kysely<KeyTables>): Promise<void> {
  await schema
    .createTable('tenants')
    .addColumn('id', 'integer', (it) => it.primaryKey())
    .addColumn('epoch', 'bigint', (it) => it.notNull())
    .addColumn('document', 'text', (it) => it.notNull())
    .execute()
}

/** The versions of the tables. */
export const keyTables: VersionedTables = {
  name: 'The key store',
  history: 'sealing_keys_version',
  steps: [createTables, { adds: createTenants }],
}

const place = 'the table sealing_keys'

/** Opens the key store in a database, which several servers may share. */
export async function databaseKeyStore({ db, migrate }: databaseKeyStore.Input): Promise<KeyStore> {
  await migrate(keyTables)
  return {
    place,
    read: async () => {
      const row = await db.selectFrom('sealing_keys').select('document').executeTakeFirst()
      return row && parseKeyDocument(row.document, place)
    },
    commit: async (next) => {
      const { epoch } = next
      const row = { id: 1 as const, epoch, document: encodeKeyDocument(next) }
      return epoch === 1 ? insertFirst(db, row) : update(db, row)
    },
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

type Row = KeyTables['sealing_keys']

async function insertFirst(db: Kysely<KeyTables>, row: Row): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sealing_keys')
    .values(row)
    .onConflict((it) => it.column('id').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) === 1
}

async function update(db: Kysely<KeyTables>, { epoch, document }: Row): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sealing_keys')
    .set({ epoch, document })
    .where('id', '=', 1)
    .where('epoch', '=', epoch - 1)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}
