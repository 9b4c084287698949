import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import {
  commitKeys,
  withDestroyed,
  withNewKey,
} from '../../../packages/adapters/src/keys/change-keys.ts'
import { databaseKeyStore } from '../../../packages/adapters/src/keys/database-key-store.ts'
import { fileKeyStore, type KeyStore } from '../../../packages/adapters/src/keys/file-key-store.ts'
import type { KeyTables } from '../../../packages/adapters/src/keys/key-tables.ts'
import {
  commitTenants,
  loadTenants,
  withTenant,
} from '../../../packages/adapters/src/keys/tenants/change-tenants.ts'
import {
  databaseTenantStore,
  fileTenantStore,
  type TenantStore,
} from '../../../packages/adapters/src/keys/tenants/tenant-store.ts'
import { postgresStore } from '../../../packages/adapters/src/store/postgres.ts'
import { sqliteStore } from '../../../packages/adapters/src/store/sqlite.ts'
import type { Store } from '../../../packages/adapters/src/store/store.ts'
import { webhookTables } from '../../../packages/adapters/src/webhooks/schema.ts'
import { startPostgres } from '../process/postgres.ts'
import { dumpPostgres } from './dump-postgres.ts'
import { fixtureRows } from './fixture-rows.ts'
import { fixtureMaster, fixturesFolder, fixtureTenant } from './fixtures.ts'

// Makes the fixture of the tables as this code has them: node test/harness/tables/make-fixture.ts NAME

const [name] = process.argv.slice(2)
if (name === undefined) throw new Error('The name of the fixture is missing: a release, or a day.')
const folder = join(fixturesFolder, name)
if (existsSync(folder)) throw new Error(`${folder} exists, and a fixture never changes.`)

mkdirSync(folder, { recursive: true })
await addKeys(fileKeyStore({ folder }))
await addTenant(fileTenantStore({ folder }))
await fill(await sqliteStore(join(folder, 'jobs.sqlite')), async () => undefined)
await makePostgres()
writeFileSync(join(folder, 'rows.json'), `${JSON.stringify(fixtureRows, undefined, 2)}\n`)

/** Adds three keys and destroys the first. */
async function addKeys(store: KeyStore): Promise<void> {
  const source = { store, masters: [fixtureMaster] as const }
  const records = withNewKey(withNewKey(withNewKey([], { now: 1 }), { now: 2 }), { now: 3 })
  const loaded = await commitKeys(source, undefined, records)
  const doomed = loaded.records.slice(0, 1).map(({ facts }) => facts.id)
  await commitKeys(source, loaded, withDestroyed(loaded.records, doomed, { now: 4 }))
}

async function addTenant(store: TenantStore): Promise<void> {
  const source = { store, masters: [fixtureMaster] as const }
  const before = await loadTenants(source)
  await commitTenants(source, before, withTenant(before.tenants, fixtureTenant))
}

/** Adds the rows and what `more` adds, and closes the store. */
async function fill(store: Store, more: (store: Store) => Promise<void>): Promise<void> {
  await store.migrate(webhookTables)
  const db = store.db.withTables<Record<string, object>>()
  for (const [table, rows] of Object.entries(fixtureRows)) {
    await db
      .insertInto(table)
      .values([...rows])
      .execute()
  }
  await more(store)
  await store.close()
}

async function makePostgres(): Promise<void> {
  const postgres = await startPostgres()
  await fill(await postgresStore(postgres.url.href), async ({ db, migrate }) => {
    const tables = db.withTables<KeyTables>()
    await addKeys(await databaseKeyStore({ db: tables, migrate }))
    await addTenant(await databaseTenantStore({ db: tables, migrate }))
  })
  const client = new pg.Client({ connectionString: postgres.url.href })
  await client.connect()
  writeFileSync(join(folder, 'postgres.sql'), await dumpPostgres(client))
  await client.end()
  await postgres.stop('fast')
  rmSync(postgres.folder, { recursive: true })
}
