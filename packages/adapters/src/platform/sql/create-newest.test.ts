import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { keyTables } from '../../keys/key-tables.ts'
import { packTables } from '../../store/pack-tables.ts'
import { jobTables } from '../../store/schema.ts'
import { grantTables } from '../../store/sql-grants.ts'
import { webhookTables } from '../../webhooks/schema.ts'
import { createNewest } from './create-newest.ts'
import { migrateTables, type VersionedTables } from './migrate-tables.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

const scripted = {
  'the job store': jobTables,
  'the webhooks': webhookTables,
  'the grants': grantTables,
  'the packs': packTables,
  'the keys': keyTables,
}

/** Returns what a file consists of; times are left out. */
function contentOf(file: DatabaseSync, { history }: VersionedTables) {
  const read = (query: string) => file.prepare(query).all()
  return {
    tables: read('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name').map(
      ({ sql, ...row }) => ({ ...row, sql: sql && String(sql).replaceAll(/\s+/g, ' ') }),
    ),
    steps: read(`SELECT name, length(timestamp) AS length FROM ${history}`),
    lock: read(`SELECT * FROM ${history}_lock`),
  }
}

async function stepped(tables: VersionedTables): Promise<DatabaseSync> {
  const file = new DatabaseSync(':memory:')
  await migrateTables(new Kysely<unknown>({ dialect: sqliteDialect(file) }), tables)
  return file
}

describe.each(Object.entries(scripted))('the script of %s', (_, tables) => {
  test('makes what its steps make', async () => {
    const file = new DatabaseSync(':memory:')
    expect(createNewest(file, tables)).toBe(true)
    expect(contentOf(file, tables)).toEqual(contentOf(await stepped(tables), tables))
  })

  test('leaves tables alone, whether a version is recorded or not', async () => {
    const file = await stepped(tables)
    const before = contentOf(file, tables)
    expect(createNewest(file, tables)).toBe(false)
    expect(contentOf(file, tables)).toEqual(before)
    file.exec(`DROP TABLE ${tables.history}; DROP TABLE ${tables.history}_lock`)
    expect(createNewest(file, tables)).toBe(false)
  })
})

test('tables that no script makes are left to their steps', () => {
  const file = new DatabaseSync(':memory:')
  const steps = [['CREATE TABLE "thing" ("id" text);', async () => {}]]
  expect(createNewest(file, { name: 'The store', history: 'version', steps })).toBe(false)
})
