import { rmSync } from 'node:fs'
import { catalogueLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import fc from 'fast-check'
import { afterAll, beforeAll } from 'vitest'
import { anvilWorld } from './worlds/anvil.ts'
import { catalogueWorld, type OpenCatalogueWorld } from './worlds/catalogue.ts'
import { embeddedWorld } from './worlds/embedded.ts'
import { type Postgres, startPostgres } from './worlds/postgres.ts'

// Each example of a law is a handful of real transactions; `LAW_RUNS` asks for more of them.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: Number(process.env.LAW_RUNS ?? 5),
})

let postgres: Postgres
let databases = 0

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop('fast')
  rmSync(postgres.folder, { recursive: true })
})

const close = (world: OpenCatalogueWorld) => world.close()

describeLaws('the catalogue on SQLite, of the embedded chain', catalogueLaws, {
  open: async () => catalogueWorld(await embeddedWorld(), { db: ':memory:' }),
  close,
})

describeLaws('the catalogue on SQLite, of anvil', catalogueLaws, {
  open: async () => catalogueWorld(await anvilWorld(), { db: ':memory:' }),
  close,
})

describeLaws('the catalogue on PostgreSQL, of the embedded chain', catalogueLaws, {
  open: async () => {
    const database = `laws_${databases++}`
    await postgres.run(`CREATE DATABASE ${database}`)
    const db = new URL(database, postgres.url)
    return catalogueWorld(await embeddedWorld(), { db })
  },
  close,
})
