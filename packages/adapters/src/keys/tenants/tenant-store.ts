import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { type FileSteps, fileSteps } from '../key-file.ts'
import { type KeyTables, keyTables } from '../key-tables.ts'
import { documentInFile, documentInTable, type StoredDocument } from '../stored-document.ts'
import { encodeTenantDocument, parseTenantDocument, type TenantDocument } from './tenant-record.ts'

/**
 * Stores the tenants of one server, or of several that share a database.
 *
 * Laws
 * - is empty at first
 * - reads back what was committed
 * - refuses a commit that does not follow the stored epoch
 * - accepts exactly one of several concurrent commits
 */
export type TenantStore = StoredDocument<TenantDocument>

const format = { encode: encodeTenantDocument, parse: parseTenantDocument }

/** The file in a data folder that holds the tenants, with the wrapped keys of their wallets. */
export const tenantFile = 'tenants.keys'

/** Opens the tenant store in a folder that no other process writes to. */
export const fileTenantStore = ({
  folder,
  steps = fileSteps,
}: fileTenantStore.Input): TenantStore => documentInFile(join(folder, tenantFile), format, steps)

export declare namespace fileTenantStore {
  type Input = {
    readonly folder: string
    /** The steps of replacing a file; those on the file system by default. */
    readonly steps?: FileSteps
  }
}

/** Opens the tenant store in a database, which several servers may share. */
export async function databaseTenantStore({
  db,
  migrate,
}: databaseTenantStore.Input): Promise<TenantStore> {
  await migrate(keyTables)
  return documentInTable(db, 'tenants', format)
}

export declare namespace databaseTenantStore {
  type Input = {
    readonly db: Kysely<KeyTables>
    /** Brings tables of the database to their newest version, one process at a time. */
    readonly migrate: (tables: typeof keyTables) => Promise<void>
  }
}
