import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrateTables, type VersionedTables } from './migrate-tables.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import {
  addThings,
  countSteps,
  createUnversioned,
  lastBeforeAdditions,
  readThings,
  thingTables,
} from './test/thing-tables.ts'

const program = fileURLToPath(new URL('test/killed-migration.ts', import.meta.url))

const open = (path = ':memory:') =>
  new Kysely<unknown>({ dialect: sqliteDialect(new DatabaseSync(path)) })

const migrate = (db: Kysely<unknown>, tables: VersionedTables) =>
  db.transaction().execute((trx) => migrateTables(trx, tables))

/** Returns a table without a recorded version, as a program before the first version made it. */
async function openUnversioned(ids: readonly number[], path?: string) {
  const db = open(path)
  await createUnversioned(db)
  await addThings(db, ids)
  return db
}

const ids = fc.uniqueArray(fc.nat(), { maxLength: 5 })
const named = (all: readonly number[]) =>
  all.toSorted((one, other) => one - other).map((id) => ({ id, name: `thing ${id}` }))

describe('migrated tables', () => {
  test('keep every row, whichever versions come between, and take each step once', async () => {
    const path = fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(ids, path, async (things, versions) => {
        const db = await openUnversioned(things)
        const taken: number[] = []
        for (const version of [...versions.toSorted(), 3, 3]) {
          await migrate(db, countSteps(taken, thingTables(version)))
        }
        expect(await readThings(db)).toEqual(named(things))
        expect(taken).toEqual([1, 2, 3])
        await db.destroy()
      }),
    )
  })

  test.each([
    [2, 1],
    [3, 2],
    [3, 1],
  ])('of version %d are refused by a program of version %d, unchanged', async (newer, older) => {
    const db = await openUnversioned([7])
    await migrate(db, thingTables(newer))
    const before = await readThings(db)
    await expect(migrate(db, thingTables(older))).rejects.toMatchObject({
      code: 'folder/unusable',
      message: `The store of things cannot be used: its tables have version ${newer}, and this program knows versions up to ${older}; run the newer version of Heirloom that made them.`,
    })
    expect(await readThings(db)).toEqual(before)
    await db.destroy()
  })

  test('stay as they were when a step fails', async () => {
    const db = await openUnversioned([7])
    const { steps, ...tables } = thingTables(2)
    const failing = async () => {
      throw new Error('no')
    }
    await expect(migrate(db, { ...tables, steps: [...steps, [failing]] })).rejects.toThrow('no')
    expect(await readThings(db)).toEqual([{ id: 7 }])
    await migrate(db, thingTables(3))
    expect(await readThings(db)).toEqual(named([7]))
    await db.destroy()
  })
})

describe('tables that a newer program only added to', () => {
  /** The least version that a program must know to work with tables of a version. */
  const neededFor = (version: number) =>
    version > 5 ? version : Math.min(version, lastBeforeAdditions)
  const versions = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 })

  test('open for each program that knows what they were changed to, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(ids, versions, async (things, programs) => {
        const db = await openUnversioned(things)
        const taken: number[] = []
        let version = 1
        for (const program of programs) {
          const opening = migrate(db, countSteps(taken, thingTables(program)))
          if (program < neededFor(version)) await expect(opening).rejects.toThrow(/newer version/)
          else await opening
          version = Math.max(version, program)
        }
        expect(taken).toEqual(Array.from({ length: version }, (_, at) => at + 1))
        expect((await readThings(db))?.length).toBe(things.length)
        await db.destroy()
      }),
    )
  })

  test('record the version that a program must know where programs without additions look', async () => {
    const db = await openUnversioned([7])
    const needed = () => sql`SELECT max(name) AS name FROM thing_version`.execute(db)
    await migrate(db, thingTables(5))
    expect((await needed()).rows).toEqual([{ name: '0003' }])
    await migrate(db, thingTables(6))
    expect((await needed()).rows).toEqual([{ name: '0006' }])
    await db.destroy()
  })
})

/** The statements of a migration that change the file: the records of versions need some. */
const statements = { 3: 10, 6: 19 } as const

/** The rows of the things in each version. */
const rowsIn = { 3: named([7]), 6: [{ id: 7, size: null }] } as const

describe.each([3, 6] as const)('a migration to version %d that is killed', (version) => {
  const count = statements[version]
  test.each(Array.from({ length: count + 1 }, (_, at) => at))(
    'before statement %d leaves the tables of before, or of after',
    async (at) => {
      const folder = mkdtempSync(join(tmpdir(), 'migration-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const path = join(folder, 'things.sqlite')
      await (await openUnversioned([7], path)).destroy()
      const words = [program, path, `${at}`, `${version}`]
      const { stdout, stderr, signal } = spawnSync(process.execPath, words)
      expect(`${stderr}`).toBe('')
      const isDone = at === count
      expect([`${stdout}`, signal]).toEqual(isDone ? ['done', null] : ['', 'SIGKILL'])
      const db = open(path)
      expect(await readThings(db)).toEqual(isDone ? rowsIn[version] : [{ id: 7 }])
      await migrate(db, thingTables(version))
      expect(await readThings(db)).toEqual(rowsIn[version])
      await db.destroy()
    },
  )
})
