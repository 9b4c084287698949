import type { Kysely } from 'kysely'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'

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
