import { Failure } from '@heirloom/core'
import { sql } from 'kysely'
import type { Migration, Migrator, MigratorProps } from 'kysely/migration'

/** A database, or a transaction in one, with any tables. */
type AnyDatabase = MigratorProps['db']

type Act = Migration['up']

/**
 * The work of a step: SQL statements that SQLite and PostgreSQL take alike, each with a semicolon at the
 * end of its last line; an act; or one that does nothing to tables that nobody has used.
 */
type StepPart = string | Act | { readonly inUse: Act }

/**
 * A step to the next version of some tables, in its parts. A program that does not know a plain step
 * refuses the tables afterwards. After a step that only `adds`, it works on with them, so that servers
 * of both versions can share a database while one after the other is replaced: such a step makes
 * tables, indexes that are not unique, and columns that are nullable or have a default, removes such
 * indexes, and does nothing else.
 */
export type TableStep = readonly StepPart[] | { readonly adds: readonly StepPart[] }

/** Tables whose version the database records. */
export type VersionedTables = {
  /** The name of the tables in failures, which starts a sentence. */
  readonly name: string
  /**
   * The table that records the plain steps that were taken: its newest is the least version that a
   * program must know. The table of this name and `_added` records the others.
   */
  readonly history: string
  /**
   * The step to each version from the one before it: the first creates the tables, and takes over
   * tables of a program that recorded no version. A step never changes once it is released.
   */
  readonly steps: readonly TableStep[]
}

/**
 * Brings tables to the version of this program, or leaves them in a newer one that only added to it.
 * Two processes that share a database take each step once. In a transaction all steps are one commit.
 *
 * @param schema - the PostgreSQL schema of the tables
 * @throws `folder/unusable` if a newer version of the program made the tables, and changed them
 */
export async function migrateTables(
  db: AnyDatabase,
  tables: VersionedTables,
  schema?: string,
): Promise<void> {
  if (await isUpToDate(db, tables)) return
  for (const run of runsOf(tables)) {
    const migrator = await migratorOf(db, run, schema)
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) continue
    // A newer program may have been faster.
    if (await isUpToDate(db, tables)) return
    throw error
  }
}

/** The name of the table that records the steps that only add. */
const addedHistory = (history: string): string => `${history}_added`

/** Steps that are recorded in one table and that no other kind of step comes between. */
type Run = {
  readonly history: string
  readonly lock: string
  /** The steps of the table from the first version on, by their names. */
  readonly migrations: Readonly<Record<string, Migration>>
}

/** Returns the steps in the order in which they are taken. */
function runsOf(tables: VersionedTables): readonly Run[] {
  const all = recordsOf(tables)
  const ends = all.flatMap(({ history }, index) =>
    history === all[index + 1]?.history ? [] : [index + 1],
  )
  return ends.map((end) => {
    const history = all[end - 1]?.history ?? tables.history
    const taken = all.slice(0, end).filter((it) => it.history === history)
    const migrations = Object.fromEntries(taken.map(({ name, up }) => [name, { up }]))
    return { history, lock: `${tables.history}_lock`, migrations }
  })
}

/** Returns the name of each step, the table that records it, its parts, and what takes it. */
export const recordsOf = ({ history, steps }: Pick<VersionedTables, 'history' | 'steps'>) =>
  steps.map((step, index) => {
    const [table, parts] = 'adds' in step ? [addedHistory(history), step.adds] : [history, step]
    return { history: table, name: stepName(index + 1), parts, up: actOf(parts) }
  })

const actOf =
  (parts: readonly StepPart[]): Act =>
  async (db) => {
    for (const part of parts) await take(db, part)
  }

async function take(db: AnyDatabase, part: StepPart): Promise<void> {
  if (typeof part === 'function') return part(db)
  if (typeof part === 'object') return part.inUse(db)
  const statements = part.split(/;\s*(?:\n|$)/).filter((it) => it.trim() !== '')
  for (const statement of statements) await sql.raw(statement).execute(db)
}

// Loaded on demand: most starts find the newest version.
async function migratorOf(
  db: AnyDatabase,
  { history, lock, migrations }: Run,
  schema: string | undefined,
): Promise<Migrator> {
  const { Migrator } = await import('kysely/migration')
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: history,
    migrationLockTableName: lock,
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
}

/** Returns the recorded name of the step to a version; names sort as their versions do. */
export const stepName = (version: number): string => String(version).padStart(4, '0')

/**
 * Returns whether every step of this program was taken.
 *
 * @throws `folder/unusable` if a newer program changed the tables
 */
async function isUpToDate(
  db: AnyDatabase,
  { name, history, steps }: VersionedTables,
): Promise<boolean> {
  const needed = await readVersion(db, history)
  if (needed > steps.length) {
    const problem = `its tables have version ${needed}, and this program knows versions up to ${steps.length}; run the newer version of Heirloom that made them`
    throw new Failure('folder/unusable', { folder: name, problem })
  }
  return needed === steps.length || (await readVersion(db, addedHistory(history))) >= steps.length
}

/** Returns the newest recorded version; 0 where none is, or the database does not answer. */
async function readVersion(db: AnyDatabase, history: string): Promise<number> {
  const query = sql<{ name: string }>`SELECT max(name) AS name FROM ${sql.table(history)}`
  const { rows } = await query.execute(db).catch(() => ({ rows: [] }))
  return Number(rows[0]?.name ?? 0)
}
