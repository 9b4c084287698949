import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { migrateTables } from '../platform/sql/migrate-tables.ts'
import { openMemory } from '../platform/sql/test/open-memory.ts'
import { type Database, jobTables } from './schema.ts'
import { endOfGrace, graceTime } from './upgrade-notes.ts'

/** Returns tables as version 0.2.0 makes them, in memory. */
async function earlierTables() {
  const db = openMemory().db as unknown as Kysely<Database>
  await migrateTables(db, { ...jobTables, steps: jobTables.steps.slice(0, 3) })
  return { db, upgrade: () => migrateTables(db, jobTables) }
}

test('tables that an earlier version used have a week of grace, from their first upgrade on', async () => {
  const { db, upgrade } = await earlierTables()
  await db.insertInto('lane').values({ id: 'a', nextNonce: 1, epoch: 1 }).execute()
  const before = Date.now()
  await upgrade()
  const end = await endOfGrace(db)
  expect(end).toBeGreaterThanOrEqual(before + graceTime)
  expect(end).toBeLessThanOrEqual(Date.now() + graceTime)
  await upgrade()
  expect(await endOfGrace(db)).toBe(end)
})

test('tables that nobody used before have none, whoever uses them later', async () => {
  const { db, upgrade } = await earlierTables()
  await upgrade()
  await db.insertInto('lane').values({ id: 'a', nextNonce: 1, epoch: 1 }).execute()
  await upgrade()
  expect(await endOfGrace(db)).toBe(0)
})
