import { rmSync } from 'node:fs'
import { postgresJobStore } from '@heirloom/adapters/job-store'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { postgresStore as storeWith } from '../../packages/adapters/src/store/postgres.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'

let postgres: Postgres
/** The factor by which everything takes longer here than usual. */
let factor: number
beforeAll(async () => {
  postgres = await startPostgres({ settings: ['max_connections=15'] })
  factor = await slowness(postgres.url)
})
afterAll(async () => {
  await postgres.stop('fast')
  rmSync(postgres.folder, { recursive: true })
})

/** The time that it takes on a free machine of 2020 to open a store, in milliseconds. */
const usual = 60

/**
 * Returns how many times longer than usual a store takes to open here and now, as a whole number: by that much
 * tests lengthen the times after which one who is slow is taken for silent.
 */
async function slowness(database: URL): Promise<number> {
  // The first store makes the tables.
  const took: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    const store = await postgresJobStore(database.href)
    took.push(performance.now() - started)
    await store.close()
  }
  return Math.max(1, Math.ceil(Math.max(...took.slice(1)) / usual))
}

/** Opens a store behind a gate, and has it use each connection of its pool. */
async function openBehindGate(silence = 1000) {
  const gate = await openGate(Number(postgres.url.port))
  onTestFinished(gate.close)
  const url = Object.assign(new URL(postgres.url), { port: String(gate.port) })
  const application = `gate-${gate.port}`
  url.searchParams.set('application_name', application)
  const times = { silence: silence * factor, sessionTimeout: 750 * factor }
  const store = await storeWith(url.href, times)
  // Sessions end soon here, so each query says itself which session it used.
  const ping = () =>
    store.db.selectNoFrom(({ fn }) => fn<number>('pg_backend_pid').as('pid')).executeTakeFirst()
  const rows = await Promise.all([1, 2, 3, 4].map(ping))
  // The one that listens opens by itself: a session that is cut off while it begins has no bound yet.
  const listening = `SELECT count(*) FROM pg_stat_activity WHERE application_name = '${application}' AND query ~ 'LISTEN|clock_timestamp' AND state = 'idle'`
  await expect.poll(async () => Number(await postgres.run(listening))).toBeGreaterThan(0)
  return { gate, store, sessions: new Set(rows.map((row) => row?.pid)) }
}

/** The sessions that PostgreSQL has for jobs; those that listen last longer than the others. */
const countPooled = async () =>
  Number(
    await postgres.run(
      "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND query NOT LIKE 'LISTEN%' AND pid <> pg_backend_pid()",
    ),
  )

test('a store that is cut off in silence takes no connection from the others for long', async () => {
  for (let round = 0; round < 4; round++) {
    const { gate, store, sessions } = await openBehindGate()
    expect(sessions.size).toBe(4)
    gate.stall()
    onTestFinished(store.close)
    await expect.poll(countPooled).toBe(0)
  }
})

test('a store that is idle for longer works on', async () => {
  const { store } = await openBehindGate(10_000)
  onTestFinished(store.close)
  await expect.poll(countPooled).toBe(0)
  // The pool may not have read yet that its connections ended.
  const read = () => store.db.selectFrom('lane').selectAll().execute()
  await expect.poll(() => read().catch(() => 'no connection')).toEqual([])
})

test('a session of a store ends after a minute of silence at most', async () => {
  const store = await postgresJobStore(postgres.url.href)
  onTestFinished(store.close)
  const settings = store.db.withTables<Settings>().selectFrom('pg_settings').select('setting')
  const rows = await settings.where('name', '=', 'idle_session_timeout').execute()
  expect(rows).toEqual([{ setting: '60000' }])
})

type Settings = { pg_settings: { name: string; setting: string } }
