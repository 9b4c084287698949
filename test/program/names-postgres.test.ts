import { sqlNames } from '@heirloom/adapters/internal/names'
import { type JobStore, postgresJobStore } from '@heirloom/adapters/job-store'
import { account } from '@heirloom/core'
import { namesLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
const stores = new Map<object, JobStore>()
const registry = { chainId: 1, address: account(`0x${'1'.repeat(40)}`) }

describeLaws('sqlNames in PostgreSQL', namesLaws, {
  open: async () => {
    const name = `names_${stores.size}`
    await postgres.run(`CREATE DATABASE ${name}`)
    const store = await postgresJobStore(new URL(`/${name}`, postgres.url).href)
    const names = sqlNames(store, { registry, findMinted: async () => undefined })
    stores.set(names, store)
    return names
  },
  close: async (names) => stores.get(names)?.close(),
})
