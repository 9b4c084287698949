import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { postgresJobStore } from '@heirloom/adapters/job-store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keyTables } from '../../packages/adapters/src/keys/key-tables.ts'
import {
  recordsOf,
  type VersionedTables,
} from '../../packages/adapters/src/platform/sql/migrate-tables.ts'
import { openMemory } from '../../packages/adapters/src/platform/sql/test/open-memory.ts'
import {
  type AnyDatabase,
  addThings,
  countSteps,
  readThings,
  thingTables,
} from '../../packages/adapters/src/platform/sql/test/thing-tables.ts'
import { jobTables } from '../../packages/adapters/src/store/schema.ts'
import { webhookTables } from '../../packages/adapters/src/webhooks/schema.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import { findChanges, readTableState } from '../harness/tables/find-changes.ts'
import { fixtureRows } from '../harness/tables/fixture-rows.ts'

/** Takes all steps in a file in memory, and returns what each additive one changed. */
async function changesOfAdditions(tables: VersionedTables): Promise<readonly string[]> {
  const { file, db } = openMemory()
  const changes: string[] = []
  for (const { history, name, up } of recordsOf(tables)) {
    if (history !== tables.history) fillEmptyTables(file)
    const before = readTableState(file)
    await up(db)
    const found = history === tables.history ? [] : findChanges(before, readTableState(file))
    changes.push(...found.map((it) => `step ${name}: ${it}`))
  }
  return changes
}

/** Adds the rows of the fixtures to their tables, with the columns that these have by now. */
function fillEmptyTables(file: DatabaseSync): void {
  const filled: Readonly<Record<string, readonly object[]>> = fixtureRows
  for (const [table, rows] of Object.entries(filled)) {
    const columns = file.prepare(`PRAGMA table_info("${table}")`).all()
    if (columns.length === 0) continue
    if (file.prepare(`SELECT 1 FROM "${table}"`).get() !== undefined) continue
    const names = columns.map(({ name }) => String(name))
    const places = names.map(() => '?').join()
    const insert = file.prepare(
      `INSERT INTO "${table}" (${names.map((it) => `"${it}"`)}) VALUES (${places})`,
    )
    for (const row of rows) {
      const values = new Map<string, SQLInputValue>(Object.entries(row))
      insert.run(...names.map((name) => values.get(name) ?? null))
    }
  }
}

describe('the additive steps', () => {
  // Where this fails, a server of the release before would fail beside one of this code: make the
  // step a plain one and an upgrade a stop, or add first and take away a release later.
  test.each([jobTables, webhookTables, keyTables])('of $history only add', async (tables) => {
    expect(await changesOfAdditions(tables)).toEqual([])
  })

  const statements: readonly (readonly [statement: string, change: string])[] = [
    ['ALTER TABLE job RENAME COLUMN data TO input', 'the column data of job is gone or changed'],
    ['ALTER TABLE job DROP COLUMN traceparent', 'the column traceparent of job is gone or changed'],
    ['DROP TABLE attempt', 'the column hash of attempt is gone or changed'],
    ["ALTER TABLE job ADD COLUMN kind text NOT NULL DEFAULT ''", ''],
    ['ALTER TABLE job ADD COLUMN kind text', ''],
    ['CREATE TABLE fact (name text NOT NULL)', ''],
    ['CREATE INDEX job_hash ON job ("txHash")', ''],
    [
      'CREATE UNIQUE INDEX job_id ON job (id)',
      'the index job_id of job is new and binds older programs',
    ],
    ['DROP INDEX attempt_slot', ''],
    [
      'DROP INDEX attempt_slot; CREATE UNIQUE INDEX attempt_slot ON attempt (lane, nonce, hash)',
      'the index attempt_slot of attempt is gone or changed',
    ],
    ["UPDATE job SET state = 'done'", 'the rows of job are changed'],
    ['DELETE FROM slot', 'the rows of slot are changed'],
    [
      'CREATE TRIGGER more AFTER INSERT ON job BEGIN DELETE FROM slot; END',
      'the trigger more of job is new and binds older programs',
    ],
    [
      'CREATE TABLE other AS SELECT *, 1 AS kind FROM lane; DROP TABLE lane; CREATE TABLE lane (id text, "nextNonce" bigint, epoch bigint, kind text NOT NULL)',
      'the column kind of lane is new and has no default',
    ],
  ]

  test.each(statements)('that say %s are found out', async (statement, change) => {
    const { file, db } = openMemory()
    for (const { up } of recordsOf(jobTables)) await up(db)
    fillEmptyTables(file)
    const before = readTableState(file)
    file.exec(statement)
    const changes = findChanges(before, readTableState(file))
    if (change === '') expect(changes).toEqual([])
    else expect(changes).toContain(change)
  })
})

describe('servers of several versions on one database', () => {
  const postgres = sharedPostgres()
  let databases = 0

  async function openDatabase() {
    const name = `versions${databases++}`
    await postgres.run(`CREATE DATABASE ${name}`)
    return async () => {
      const store = await postgresJobStore(new URL(`/${name}`, postgres.url).href)
      onTestFinished(store.close)
      return { ...store, things: store.db as AnyDatabase }
    }
  }

  test('start together, take each addition once, and read what the others write', async () => {
    const open = await openDatabase()
    const servers = await Promise.all(
      [3, 4, 5, 3, 5, 4].map(async (version) => ({ version, ...(await open()) })),
    )
    const taken: number[] = []
    const start = ({ version, migrate }: (typeof servers)[number]) =>
      migrate(countSteps(taken, thingTables(version)))
    await Promise.all(servers.map(start))
    expect(taken).toEqual([1, 2, 3, 4, 5])
    for (const [id, { things }] of servers.entries()) await addThings(things, [id])
    // Each starts again, the older ones on tables that they do not know.
    await Promise.all(servers.map(start))
    expect(taken).toEqual([1, 2, 3, 4, 5])
    const all = await Promise.all(servers.map(({ things }) => readThings(things)))
    for (const rows of all) expect(rows?.length).toBe(servers.length)
  })

  test('refuse tables that a newer one changed, and name both versions', async () => {
    const open = await openDatabase()
    const [newer, older] = [await open(), await open()]
    await newer.migrate(thingTables(6))
    await expect(older.migrate(thingTables(5))).rejects.toThrow(/version 6.* versions up to 5;/)
  })

  test('go on where one stopped between additions and what they replace', async () => {
    const open = await openDatabase()
    const [one, other] = [await open(), await open()]
    const { steps, ...tables } = thingTables(5)
    const failing = async () => {
      throw new Error('no')
    }
    await expect(one.migrate({ ...tables, steps: [...steps, [failing]] })).rejects.toThrow('no')
    await addThings(one.things, [7])
    // What only adds stays, and an older server still starts.
    await one.migrate(thingTables(3))
    await other.migrate(thingTables(6))
    expect(await readThings(other.things)).toEqual([{ id: 7, size: null }])
  })
})
