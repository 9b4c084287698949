import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startPooler } from '../harness/process/pooler.ts'
import { hostServer, post } from '../harness/process/server.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()

/** Returns the settings of a server behind a pooler. */
async function behindPooler(lends: startPooler.Options['lends']) {
  const home = mkdtempSync(join(tmpdir(), 'pooler-'))
  const pooler = await startPooler(postgres.url, { lends })
  onTestFinished(() => {
    pooler.close()
    rmSync(home, { recursive: true })
  })
  return { DATA_DIR: join(home, 'data'), DATABASE_URL: pooler.url }
}

const tables =
  "SELECT count(*) FROM pg_tables WHERE schemaname NOT LIKE 'pg%' AND schemaname <> 'information_schema'"

test('a pooler that lends its sessions by the transaction is refused before anything is written', async () => {
  await expect(behindPooler('transaction').then(hostServer)).rejects.toThrow(
    /^DATABASE_URL leads through a pooler .*; .*pool_mode = session.* or connect to PostgreSQL itself\.$/,
  )
  expect(await postgres.run(tables)).toEqual(['0'])
})

test('a pooler that refuses settings at the start of a connection is one that servers can use', async () => {
  const server = await hostServer(await behindPooler('session'))
  onTestFinished(async () => void (await server.end()))
  const body = '{"data":{},"metadata":{"category":"research"}}'
  expect((await post(server.url, '/api/memory/snapshot', body)).status).toBe(201)
  const { items } = (await (await fetch(`${server.url}/api/memory`)).json()) as { items: object[] }
  expect(items).toHaveLength(1)
  expect(Number((await postgres.run(tables))[0])).toBeGreaterThan(3)
})
