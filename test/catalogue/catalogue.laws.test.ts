import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogueLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { afterAll, beforeAll } from 'vitest'
import {
  catalogueHarness,
  type OpenCatalogueHarness,
} from '../harness/catalogue/catalogue-harness.ts'
import { anvilHarnesses } from '../harness/chain/anvil.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { times } from '../tier.ts'

// Each run of a law sends several real transactions.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: times(2, 5),
})

let postgres: Postgres
let databases = 0
const folder = mkdtempSync(join(tmpdir(), 'catalogue-laws-'))

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop('fast')
  for (const each of [postgres.folder, folder]) rmSync(each, { recursive: true })
})

const openOnAnvil = anvilHarnesses()
const close = (harness: OpenCatalogueHarness) => harness.close()

describeLaws('the catalogue on SQLite, of the embedded chain', catalogueLaws, {
  open: async () => catalogueHarness(await openEmbeddedHarness(), { db: ':memory:' }),
  close,
})

describeLaws('the catalogue in a file of SQLite, read by a worker', catalogueLaws, {
  open: async () =>
    catalogueHarness(await openEmbeddedHarness(), { db: join(folder, `${databases++}.sqlite`) }),
  close,
})

describeLaws('the catalogue on SQLite, of anvil', catalogueLaws, {
  open: async () => catalogueHarness(await openOnAnvil(), { db: ':memory:' }),
  close,
})

describeLaws('the catalogue on PostgreSQL, of the embedded chain', catalogueLaws, {
  open: async () => {
    const database = `laws_${databases++}`
    await postgres.run(`CREATE DATABASE ${database}`)
    const db = new URL(database, postgres.url)
    return catalogueHarness(await openEmbeddedHarness(), { db })
  },
  close,
})
