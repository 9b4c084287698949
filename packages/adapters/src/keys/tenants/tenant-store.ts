import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { type KeyTables, keyTables } from '../database-key-store.ts'
import { type FileSteps, fileSteps, readTextIfPresent, replaceKeyFile } from '../key-file.ts'
import {
  encodeTenantDocument,
  parseTenantDocument,
  type TenantDocument,
} from './tenant-document.ts'

/**
 * Stores the tenants of one server, or of several that share a database.
 *
 * Laws
 * - is empty at first
 * - reads back what was committed
 * - refuses a commit that does not follow the stored epoch
 * - accepts exactly one of several concurrent commits
 */
export type TenantStore = {
  /** The location of the store, for operators; it contains no password. */
  readonly place: string
  /** Returns the document; `undefined` when there never was a tenant. */
  readonly read: () => Promise<TenantDocument | undefined>
  /**
   * Replaces the document whose epoch is lower by 1, atomically: a crash leaves either of the two.
   * Returns false, and changes nothing, when the stored document has another epoch.
   */
  readonly commit: (next: TenantDocument) => Promise<boolean>
}

/** The file in a data folder that holds the tenants, with the wrapped keys of their wallets. */
export const tenantFile = 'tenants.keys'

/** Opens the tenant store in a folder that no other process writes to. */
export function fileTenantStore({ folder, steps = fileSteps }: fileTenantStore.Input): TenantStore {
  const place = join(folder, tenantFile)
  const read = () => {
    const text = readTextIfPresent(place)
    return text === undefined ? undefined : parseTenantDocument(text, place)
  }
  return {
    place,
    read: async () => read(),
    commit: async (next) => {
      if ((read()?.epoch ?? 0) !== next.epoch - 1) return false
      replaceKeyFile(place, encodeTenantDocument(next), steps)
      return true
    },
  }
}

export declare namespace fileTenantStore {
  type Input = {
    readonly folder: string
    /** The steps of replacing a file; those on the file system by default. */
    readonly steps?: FileSteps
  }
}

const table = 'the table tenants'

/** Opens the tenant store in a database, which several servers may share. */
export async function databaseTenantStore({
  db,
  migrate,
}: databaseTenantStore.Input): Promise<TenantStore> {
  await migrate(keyTables)
  return {
    place: table,
    read: async () => {
      const row = await db.selectFrom('tenants').select('document').executeTakeFirst()
      return row && parseTenantDocument(row.document, table)
    },
    commit: (next) => commit(db, next),
  }
}

export declare namespace databaseTenantStore {
  type Input = {
    readonly db: Kysely<KeyTables>
    /** Brings tables of the database to their newest version, one process at a time. */
    readonly migrate: (tables: typeof keyTables) => Promise<void>
  }
}

async function commit(db: Kysely<KeyTables>, next: TenantDocument): Promise<boolean> {
  const { epoch } = next
  const row = { id: 1 as const, epoch, document: encodeTenantDocument(next) }
  if (epoch === 1) {
    const first = db.insertInto('tenants').values(row)
    const { numInsertedOrUpdatedRows } = await first
      .onConflict((it) => it.column('id').doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) === 1
  }
  const { numUpdatedRows } = await db
    .updateTable('tenants')
    .set({ epoch, document: row.document })
    .where('id', '=', 1)
    .where('epoch', '=', epoch - 1)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}
