import { sql } from 'kysely'
import type { MigratorProps } from 'kysely/migration'
import type { VersionedTables } from '../migrate-tables.ts'

/** A database with any tables. */
export type AnyDatabase = MigratorProps['db']

/** The steps to three versions of a table: it is created, gets a column, and its values move there. */
const steps: VersionedTables['steps'] = [
  async ({ schema }) => {
    const table = schema.createTable('thing').ifNotExists().addColumn('id', 'integer')
    await table.execute()
  },
  async ({ schema }) => {
    await schema.alterTable('thing').addColumn('name', 'text').execute()
    await schema.createIndex('thing_name').on('thing').column('name').execute()
  },
  async (db) => {
    await sql`UPDATE thing SET name = 'thing ' || id WHERE name IS NULL`.execute(db)
  },
]

/** Returns the tables of a program that knows the versions up to one; 0 to 3. */
export const thingTables = (version: number): VersionedTables => ({
  ...{ name: 'The store of things', history: 'thing_version', steps: steps.slice(0, version) },
})

/** Adds things as a program that records no version did. */
export async function addThings(db: AnyDatabase, ids: readonly number[]): Promise<void> {
  for (const id of ids) await sql`INSERT INTO thing (id) VALUES (${id})`.execute(db)
}

/** Returns every row of the table; undefined when there is none. */
export async function readThings(db: AnyDatabase): Promise<readonly object[] | undefined> {
  const query = sql<object>`SELECT * FROM thing ORDER BY id`.execute(db)
  return query.then(
    ({ rows }) => rows,
    () => undefined,
  )
}
