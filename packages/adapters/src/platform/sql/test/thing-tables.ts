import { sql } from 'kysely'
import type { MigratorProps } from 'kysely/migration'
import type { TableStep, VersionedTables } from '../migrate-tables.ts'

/** A database with any tables. */
export type AnyDatabase = MigratorProps['db']

/**
 * The steps to six versions of a table: it is created, gets a column, and its values move there; two
 * steps only add to it, and the last one takes the name away.
 */
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
  {
    adds: async ({ schema }) => {
      await schema.alterTable('thing').addColumn('size', 'integer').execute()
      await schema.createTable('label').addColumn('thing', 'integer').execute()
    },
  },
  {
    adds: async ({ schema }) => {
      await schema.createIndex('thing_size').on('thing').column('size').execute()
    },
  },
  async ({ schema }) => {
    await schema.dropIndex('thing_name').execute()
    await schema.alterTable('thing').dropColumn('name').execute()
  },
]

/** The version of the things after which the next two only add to them. */
export const lastBeforeAdditions = 3

/** Returns the tables of a program that knows the versions up to one; 0 to 6. */
export const thingTables = (version: number): VersionedTables => ({
  name: 'The store of things',
  history: 'thing_version',
  steps: steps.slice(0, version),
})

/** Makes the first version of the tables, as a program that records no version did. */
export async function createUnversioned(db: AnyDatabase): Promise<void> {
  const [first] = steps
  if (typeof first === 'function') await first(db)
}

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

/** Returns the same tables, whose steps add their versions to a list when they are taken. */
export function countSteps(
  taken: number[],
  { steps, ...tables }: VersionedTables,
): VersionedTables {
  const counted = steps.map((step, at): TableStep => {
    const count = async (trx: AnyDatabase) => {
      taken.push(at + 1)
      await (typeof step === 'function' ? step : step.adds)(trx)
    }
    return typeof step === 'function' ? count : { adds: count }
  })
  return { ...tables, steps: counted }
}
