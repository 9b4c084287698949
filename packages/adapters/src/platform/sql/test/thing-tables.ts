import { sql } from 'kysely'
import type { MigratorProps } from 'kysely/migration'
import { recordsOf, type TableStep, type VersionedTables } from '../migrate-tables.ts'

/** A database with any tables. */
export type AnyDatabase = MigratorProps['db']

/**
 * The steps to six versions of a table: it is created, gets a column, and its values move there; two
 * steps only add to it, and the last one takes the name away.
 */
const steps: VersionedTables['steps'] = [
  ['CREATE TABLE IF NOT EXISTS "thing" ("id" integer);'],
  ['ALTER TABLE "thing" ADD COLUMN "name" text;', 'CREATE INDEX "thing_name" on "thing" ("name");'],
  [
    async (db) => {
      await sql`UPDATE thing SET name = 'thing ' || id WHERE name IS NULL`.execute(db)
    },
  ],
  {
    adds: [
      'ALTER TABLE "thing" ADD COLUMN "size" integer;\nCREATE TABLE "label" ("thing" integer);',
    ],
  },
  { adds: ['CREATE INDEX "thing_size" on "thing" ("size");'] },
  ['DROP INDEX "thing_name";\nALTER TABLE "thing" DROP COLUMN "name";'],
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
  await recordsOf(thingTables(1))[0]?.up(db)
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
    const count = async () => {
      taken.push(at + 1)
    }
    return 'adds' in step ? { adds: [count, ...step.adds] } : [count, ...step]
  })
  return { ...tables, steps: counted }
}
