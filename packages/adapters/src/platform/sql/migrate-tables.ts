import { Failure } from '@heirloom/core'
import { sql } from 'kysely'
import type { Migration, Migrator, MigratorProps } from 'kysely/migration'

/** A database, or a transaction in one, with any tables. */
type AnyDatabase = MigratorProps['db']

/** Tables whose version the database records. */
export type VersionedTables = {
  /** The name of the tables in failures, which starts a sentence. */
  readonly name: string
  /** The table that records the steps that were taken. */
  readonly history: string
  /**
   * The step to each version from the one before it: the first creates the tables, and takes over
   * tables of a program that recorded no version. A step never changes once it is released.
   */
  readonly steps: readonly Migration['up'][]
  /** The SQLite statements that create what all steps make, as SQLite records them. */
  readonly newest?: string
}

/**
 * Brings tables to the version of this program. Two processes that share a database take each step
 * once. In a transaction all steps are one commit.
 *
 * @param schema - the PostgreSQL schema of the tables
 * @throws `folder/unusable` if a newer version of the program made the tables
 */
export async function migrateTables(
  db: AnyDatabase,
  tables: VersionedTables,
  schema?: string,
): Promise<void> {
  const found = await readVersion(db, tables)
  requireKnownVersion(tables, found)
  if (found === tables.steps.length) return
  const migrator = await migratorOf(db, tables, schema)
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  // A newer program may have been faster.
  requireKnownVersion(tables, await readVersion(db, tables))
  throw error
}

// Loaded on demand: most starts find the newest version.
async function migratorOf(
  db: AnyDatabase,
  { history, steps }: VersionedTables,
  schema: string | undefined,
): Promise<Migrator> {
  const { Migrator } = await import('kysely/migration')
  const migrations = Object.fromEntries(steps.map((up, index) => [stepName(index + 1), { up }]))
  return new Migrator({
    ...{ db, provider: { getMigrations: async () => migrations } },
    ...{ migrationTableName: history, migrationLockTableName: `${history}_lock` },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
}

/** Returns the recorded name of the step to a version; names sort as their versions do. */
export const stepName = (version: number): string => String(version).padStart(4, '0')

/** Returns the version of the tables; 0 where none is recorded, or the database does not answer. */
async function readVersion(db: AnyDatabase, { history }: VersionedTables): Promise<number> {
  const query = sql<{ name: string }>`SELECT max(name) AS name FROM ${sql.table(history)}`
  const { rows } = await query.execute(db).catch(() => ({ rows: [] }))
  return Number(rows[0]?.name ?? 0)
}

function requireKnownVersion({ name, steps }: VersionedTables, found: number): void {
  if (found <= steps.length) return
  const problem = `its tables have version ${found}, and this program knows versions up to ${steps.length}; run the newer version of Heirloom that made them`
  throw new Failure('folder/unusable', { folder: name, problem })
}
