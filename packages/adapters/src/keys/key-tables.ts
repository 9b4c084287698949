import type { CreateTableBuilder, Kysely } from 'kysely'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'

/** A single row: a document, encoded as in a file. */
export type DocumentRow = { id: 1; epoch: number; document: string }

/** The tables of a key store. */
export type KeyTables = {
  sealing_keys: DocumentRow
  destroyed_key: { id: string }
  tenants: DocumentRow
  /** The blobs that were erased, and when, in milliseconds since 1970. */
  erased_blob: { digest: string; erasedAt: number }
}

const documentColumns = <T extends string>(table: CreateTableBuilder<T>) =>
  table
    .addColumn('id', 'integer', (it) => it.primaryKey())
    .addColumn('epoch', 'bigint', (it) => it.notNull())
    .addColumn('document', 'text', (it) => it.notNull())

async function createTables({ schema }: Kysely<KeyTables>): Promise<void> {
  await schema.createTable('sealing_keys').ifNotExists().$call(documentColumns).execute()
  await schema
    .createTable('destroyed_key')
    .ifNotExists()
    .addColumn('id', 'text', (it) => it.primaryKey())
    .execute()
}

// A server of the release before works on without tenants.
async function createTenants({ schema }: Kysely<KeyTables>): Promise<void> {
  await schema.createTable('tenants').$call(documentColumns).execute()
}

// A server of the release before still returns erased blobs that it has itself.
async function createErased({ schema }: Kysely<KeyTables>): Promise<void> {
  await schema
    .createTable('erased_blob')
    .addColumn('digest', 'text', (it) => it.primaryKey())
    .addColumn('erasedAt', 'bigint', (it) => it.notNull())
    .execute()
}

/** The versions of the tables. */
export const keyTables: VersionedTables = {
  name: 'The key store',
  history: 'sealing_keys_version',
  steps: [createTables, { adds: createTenants }, { adds: createErased }],
}
