import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogueLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { afterAll, beforeAll } from 'vitest'
import {
  catalogueHarness,
  type OpenCatalogueHarness,
} from '../harness/catalogue/catalogue-harness.ts'
import { anvilHarnesses } from '../harness/chain/anvil.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { withRuns } from '../harness/with-runs.ts'
import { times } from '../tier.ts'

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

// Each example of a law sends several real transactions.
describeLaws('the catalogue on SQLite, of the embedded chain', catalogueLaws, {
  open: withRuns(times(2, 5), async () =>
    catalogueHarness(await openEmbeddedHarness(), { db: ':memory:' }),
  ),
  close,
})

describeLaws('the catalogue in a file of SQLite, read by a worker', catalogueLaws, {
  open: withRuns(times(1, 5), async () =>
    catalogueHarness(await openEmbeddedHarness(), { db: join(folder, `${databases++}.sqlite`) }),
  ),
  close,
})

describeLaws('the catalogue on SQLite, of anvil', catalogueLaws, {
  open: withRuns(times(1, 5), async () =>
    catalogueHarness(await openOnAnvil(), { db: ':memory:' }),
  ),
  close,
})

describeLaws('the catalogue on PostgreSQL, of the embedded chain', catalogueLaws, {
  open: withRuns(times(1, 5), async () => {
    const database = `laws_${databases++}`
    await postgres.run(`CREATE DATABASE ${database}`)
    const db = new URL(database, postgres.url)
    return catalogueHarness(await openEmbeddedHarness(), { db })
  }),
  close,
})
