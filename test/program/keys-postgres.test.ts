import { postgresJobStore } from '@heirloom/adapters/job-store'
import { databaseKeyStore, databaseTenantStore, type KeyTables } from '@heirloom/adapters/keys'
import { describe, expect, onTestFinished, test } from 'vitest'
import { encodeKeyDocument } from '../../packages/adapters/src/keys/key-record.ts'
import { keyStoreLaws } from '../../packages/adapters/src/keys/test/key-store-laws.ts'
import { tenantStoreLaws } from '../../packages/adapters/src/keys/test/tenant-store-laws.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()

/** Opens a key store in a new database, and returns it with its tables. */
async function openKeyStore() {
  const name = `keys${Date.now()}${Math.floor(performance.now())}`
  await postgres.run(`CREATE DATABASE ${name}`)
  const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` })
  const { db, migrate, close } = await postgresJobStore(url.href)
  onTestFinished(close)
  const tables = db.withTables<KeyTables>()
  return { tables, migrate, store: await databaseKeyStore({ db: tables, migrate }) }
}

describe('a tenant store in PostgreSQL', () => {
  test.each(tenantStoreLaws)('$name', async ({ holds }) => {
    const { tables, migrate } = await openKeyStore()
    await holds(await databaseTenantStore({ db: tables, migrate }))
  })
})

describe('a key store in PostgreSQL', () => {
  test.each(keyStoreLaws)('$name', async ({ holds }) => {
    const { tables, store } = await openKeyStore()
    await holds({
      store,
      restore: async (document) => {
        const row = { epoch: document.epoch, document: encodeKeyDocument(document) }
        await tables.updateTable('sealing_keys').set(row).execute()
      },
    })
  })

  test('reads committed keys back', async () => {
    const { store } = await openKeyStore()
    expect(await store.commit({ epoch: 1, records: [] })).toBe(true)
    await store.noteDestroyed([])
    expect(await store.read()).toEqual({ epoch: 1, records: [] })
  })
})
