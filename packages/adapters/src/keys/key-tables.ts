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

const document = '("id" integer primary key, "epoch" bigint not null, "document" text not null)'

const script = `
CREATE TABLE IF NOT EXISTS "sealing_keys" ${document};
CREATE TABLE IF NOT EXISTS "destroyed_key" ("id" text primary key);
`

// A server of the release before works on without tenants.
const tenants = `CREATE TABLE "tenants" ${document};`

// A server of the release before still returns erased blobs that it has itself.
const erased = 'CREATE TABLE "erased_blob" ("digest" text primary key, "erasedAt" bigint not null);'

/** The versions of the tables. */
export const keyTables: VersionedTables = {
  name: 'The key store',
  history: 'sealing_keys_version',
  steps: [[script], { adds: [tenants] }, { adds: [erased] }],
}
