import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type JobStore, postgresJobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseKeyStore } from '../../packages/adapters/src/keys/database-key-store.ts'
import { fileKeyStore, type KeyStore } from '../../packages/adapters/src/keys/file-key-store.ts'
import { type KeyTables, keyTables } from '../../packages/adapters/src/keys/key-tables.ts'
import { loadKeys } from '../../packages/adapters/src/keys/load-keys.ts'
import { loadTenants } from '../../packages/adapters/src/keys/tenants/change-tenants.ts'
import {
  databaseTenantStore,
  fileTenantStore,
  type TenantStore,
  tenantFile,
} from '../../packages/adapters/src/keys/tenants/tenant-store.ts'
import {
  type AnyDatabase,
  addThings,
  countSteps,
  createUnversioned,
  readThings,
  thingTables,
} from '../../packages/adapters/src/platform/sql/test/thing-tables.ts'
import { jobTables } from '../../packages/adapters/src/store/schema.ts'
import { webhookTables } from '../../packages/adapters/src/webhooks/schema.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import {
  fixtureMaster,
  fixtureNames,
  fixturesFolder,
  fixtureTenant,
} from '../harness/tables/fixtures.ts'

const postgres = sharedPostgres()

const read = (fixture: string, file: string) =>
  readFileSync(join(fixturesFolder, fixture, file), 'utf8')

type Rows = Readonly<Record<string, readonly object[]>>

const rowsOf = (fixture: string): Rows => JSON.parse(read(fixture, 'rows.json'))

/** Copies a fixture into a folder that is removed when the test ends. */
function copyFixture(fixture: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(fixturesFolder, fixture), folder, { recursive: true })
  return folder
}

/** Creates a database and runs statements in it. */
async function createDatabase(statements = 'SELECT 1'): Promise<URL> {
  const name = `tables${Date.now()}${Math.floor(performance.now())}`
  await postgres.run(`CREATE DATABASE ${name}`)
  const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` })
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(statements)
  await client.end()
  return url
}

async function readTables(db: JobStore['db'], tables: readonly string[]) {
  const rows: Record<string, readonly unknown[]> = {}
  for (const table of tables) {
    rows[table] = await db
      .withTables<Record<string, object>>()
      .selectFrom(table)
      .selectAll()
      .execute()
  }
  return rows
}

/** Expects each row of a fixture in its table, with the columns that the fixture has. */
async function expectRows({ db }: JobStore, expected: Rows) {
  const found = await readTables(db, Object.keys(expected))
  for (const [table, rows] of Object.entries(expected)) {
    expect(found[table], table).toHaveLength(rows.length)
    for (const row of rows) expect(found[table], table).toContainEqual(expect.objectContaining(row))
  }
}

/** Expects the keys of a fixture: a destroyed one, one that opens, and one that seals. */
async function expectKeys(store: KeyStore) {
  const loaded = await loadKeys({ store, masters: [fixtureMaster] })
  const states = loaded?.records.map(({ facts }) => facts.state)
  expect(states).toEqual(['destroyed', 'opening', 'sealing'])
  expect(await store.destroyed()).toEqual(new Set([loaded?.records[0]?.facts.id]))
}

/** Expects the tenant of a fixture, if it has one. */
async function expectTenants(store: TenantStore, fixture: string) {
  const { tenants } = await loadTenants({ store, masters: [fixtureMaster] })
  const { walletKey, ...facts } = fixtureTenant
  const found = tenants.map((it) => ({ ...it, walletKey: [...it.walletKey] }))
  const isThere = existsSync(join(fixturesFolder, fixture, tenantFile))
  const expected = { facts: expect.objectContaining(facts), walletKey: [...walletKey] }
  expect(found).toEqual(isThere ? [expected] : [])
}

describe.each(fixtureNames)('the fixture %s', (fixture) => {
  test('opens from its files with every job, webhook and key', async () => {
    const folder = copyFixture(fixture)
    for (const _opening of ['first', 'second']) {
      const store = await sqliteJobStore(join(folder, 'jobs.sqlite'))
      await store.migrate(webhookTables)
      await expectRows(store, rowsOf(fixture))
      await store.close()
      await expectKeys(fileKeyStore({ folder }))
      await expectTenants(fileTenantStore({ folder }), fixture)
    }
  })

  test('opens in PostgreSQL with every job, webhook and key, by several servers at once', async () => {
    const url = await createDatabase(read(fixture, 'postgres.sql'))
    const open = async () => {
      const store = await postgresJobStore(url.href)
      onTestFinished(store.close)
      const { db, migrate } = store
      await migrate(webhookTables)
      const tables = db.withTables<KeyTables>()
      const keys = await databaseKeyStore({ db: tables, migrate })
      const tenants = await databaseTenantStore({ db: tables, migrate })
      return { store, keys, tenants }
    }
    for (const { store, keys, tenants } of await Promise.all([open(), open(), open()])) {
      await expectRows(store, rowsOf(fixture))
      await expectKeys(keys)
      await expectTenants(tenants, fixture)
    }
  })
})

describe('the fixtures', () => {
  test('have the newest version of all tables', async () => {
    const newest: Record<string, number> = {}
    for (const fixture of fixtureNames) {
      const dump = read(fixture, 'postgres.sql')
      for (const { history } of [jobTables, webhookTables, keyTables]) {
        const lines = dump.match(new RegExp(`INSERT INTO ${history}(_added)? [^;]*`, 'g')) ?? []
        const versions = [...lines.join().matchAll(/"name":"(\d+)"/g)].map(([, it]) => Number(it))
        newest[history] = Math.max(newest[history] ?? 0, ...versions)
      }
    }
    // After a new step, CONTRIBUTING.md says how to make the next fixture.
    const versions = [jobTables, webhookTables, keyTables].map((it) => [
      it.history,
      it.steps.length,
    ])
    expect(newest).toEqual(Object.fromEntries(versions))
  })
})

describe('tables in PostgreSQL', () => {
  const openStore = async (url: URL) => {
    const store = await postgresJobStore(url.href)
    onTestFinished(store.close)
    return { ...store, things: store.db as AnyDatabase }
  }

  test('are migrated once by servers that start together, without loss', async () => {
    const url = await createDatabase()
    const servers = await Promise.all([url, url, url, url].map(openStore))
    const [first] = servers
    if (first === undefined) throw new Error('There are four servers.')
    await createUnversioned(first.things)
    await addThings(first.things, [7])
    const taken: number[] = []
    const tables = countSteps(taken, thingTables(3))
    await Promise.all(servers.map(({ migrate }) => migrate(tables)))
    expect(taken).toEqual([1, 2, 3])
    expect(await readThings(first.things)).toEqual([{ id: 7, name: 'thing 7' }])
    await expect(first.migrate(thingTables(2))).rejects.toThrow(/version 3.* versions up to 2;/)
  })

  test('stay as they were when a step fails, and the next server migrates them', async () => {
    const url = await createDatabase()
    const [one, other] = [await openStore(url), await openStore(url)]
    const { steps, ...tables } = thingTables(2)
    const failing = ({ schema }: AnyDatabase) => schema.dropTable('nowhere').execute()
    await expect(one.migrate({ ...tables, steps: [...steps, [failing]] })).rejects.toThrow(
      /nowhere/,
    )
    expect(await readThings(one.things)).toBe(undefined)
    await other.migrate(thingTables(3))
    expect(await readThings(one.things)).toEqual([])
  })

  test('have versions of their own in each schema', async () => {
    const url = await createDatabase('CREATE SCHEMA one; CREATE SCHEMA other')
    for (const schema of ['one', 'other']) {
      url.search = `?options=-csearch_path%3D${schema}`
      const { db } = await openStore(url)
      expect(await db.selectFrom('job').selectAll().execute()).toEqual([])
    }
  })
})

describe('a job store in a file', () => {
  /** Returns the number of commits in the write-ahead log of a SQLite file. */
  function countCommits(path: string): number {
    if (!existsSync(`${path}-wal`)) return 0
    const log = readFileSync(`${path}-wal`)
    const pageSize = log.length > 0 ? log.readUInt32BE(8) : 0
    let commits = 0
    // The header of a commit's last frame has the size of the database; that of others has zero.
    for (let at = 32; at < log.length; at += 24 + pageSize)
      commits += +(log.readUInt32BE(at + 4) > 0)
    return commits
  }

  test('appears with its tables, which then take no commit', async () => {
    const path = join(copyFixture(fixtureNames[0] ?? ''), 'new.sqlite')
    const first = await sqliteJobStore(path)
    expect(countCommits(path)).toBe(0)
    await first.migrate(webhookTables)
    expect(countCommits(path)).toBe(1)
    await first.close()
    const second = await sqliteJobStore(path)
    expect(countCommits(path)).toBe(0)
    await second.close()
  })

  test('is refused to a program of an older version', async () => {
    const path = join(copyFixture(fixtureNames[0] ?? ''), 'jobs.sqlite')
    await (await sqliteJobStore(path)).close()
    const file = new DatabaseSync(path)
    file.exec(`INSERT INTO job_version VALUES ('0009', '2027-01-01T00:00:00.000Z')`)
    file.close()
    const known = jobTables.steps.length
    await expect(sqliteJobStore(path)).rejects.toMatchObject({
      code: 'folder/unusable',
      facts: {
        folder: 'The job store',
        problem: `its tables have version 9, and this program knows versions up to ${known}; run the newer version of Heirloom that made them`,
      },
    })
  })
})
