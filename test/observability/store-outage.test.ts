import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../harness/nonce-lane/lane-fixture.ts'
import { type LogLine, startLoggedServer } from '../harness/observability/logged-server.ts'
import { startCommand } from '../harness/process/child-process.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { serverProgram } from '../harness/process/server.ts'

const memory = JSON.stringify({ data: {}, metadata: { category: 'research' } })

type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** Returns an error of a line of the log and all its causes. */
const causesOf = ({ err }: LogLine): readonly Readonly<Record<string, unknown>>[] => {
  const causes: Readonly<Record<string, unknown>>[] = []
  for (let it = Object(err); it !== undefined && Object.keys(it).length > 0; it = Object(it.cause))
    causes.push(it)
  return causes
}

const secret = 'hunter2'

/** Starts a server that is ready, and the database of its own. */
async function startOnDatabase(options?: startPostgres.Options) {
  const database = await startPostgres(options)
  onTestFinished(async () => {
    await database.stop('immediate')
    rmSync(database.folder, { recursive: true })
  })
  const DATABASE_URL = database.url.href.replace('postgres@', `postgres:${secret}@`)
  const server = await startLoggedServer({ DATABASE_URL })
  const ask = async (path: string, body?: string): Promise<Reply> => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body }
    const response = await fetch(`${server.url}${path}`, init)
    return { status: response.status, body: (await response.json()) as Reply['body'] }
  }
  await until(async () => (await ask('/readyz')).status === 200)
  return { database, server, ask }
}

test('a database that takes no writes makes no server ready, and a write says why', async () => {
  const { database, server, ask } = await startOnDatabase()
  await database.run('ALTER SYSTEM SET default_transaction_read_only = on')
  await database.run('SELECT pg_reload_conf()')
  await until(async () => (await ask('/readyz')).status === 503)

  const isReadOnly = { code: 'store/unavailable', facts: { reason: '25006' }, retryable: true }
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    body: { ...isReadOnly, component: 'store', components: { store: 'store/unavailable' } },
  })
  // PostgreSQL refused the statement itself, so nothing of it is stored.
  expect(await ask('/api/memory/snapshot', memory)).toMatchObject({ status: 503, body: isReadOnly })
  const doctor = startCommand([serverProgram, 'doctor'], {
    PATH: process.env.PATH,
    DATA_DIR: server.folder,
    DATABASE_URL: database.url.href,
  })
  expect(await text(doctor.stdout)).toMatch(/^fail +database .*read-only.* — Set DATABASE_URL/m)
  expect(await doctor.code).toBe(1)

  await database.run('ALTER SYSTEM RESET default_transaction_read_only')
  await database.run('SELECT pg_reload_conf()')
  await until(async () => (await ask('/readyz')).status === 200)
  expect((await ask('/api/memory/snapshot', memory)).status).toBe(201)
})

/** Fills the disk of a database, and returns what empties it again. */
async function fillDisk({ run }: Postgres) {
  // What is not logged needs no room for a log: without that PostgreSQL itself ends.
  await run('CREATE UNLOGGED TABLE filler (text text)')
  await run('ALTER TABLE filler ALTER text SET STORAGE PLAIN')
  const fill = "INSERT INTO filler SELECT repeat('x', 7000) FROM generate_series(1, 100)"
  const isFull = () =>
    run(fill).then(
      () => false,
      (error: Error) => /No space left/.test(error.message),
    )
  await until(isFull)
  return () => run('DROP TABLE filler')
}

test('a database whose disk is full makes no server ready, and a write says why', async () => {
  const { database, ask } = await startOnDatabase({ disk: 160 })
  const empty = await fillDisk(database)
  const isFull = { code: 'store/unavailable', facts: { reason: '53100' }, retryable: true }
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    body: { ...isFull, components: { chain: 'ok', store: 'store/unavailable' } },
  })
  await expect.poll(() => ask('/api/memory/snapshot', memory)).toMatchObject({ body: isFull })

  await empty()
  await until(async () => (await ask('/readyz')).status === 200)
  expect((await ask('/api/memory/snapshot', memory)).status).toBe(201)
})

test('a database that is down is named by its own words, and nothing else is blamed', async () => {
  const { database, server, ask } = await startOnDatabase()
  expect((await ask('/api/wallet')).status).toBe(200)
  await database.stop('immediate')

  expect(await ask('/api/wallet')).toMatchObject({
    status: 503,
    body: { code: 'store/unavailable', retryable: true },
  })
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    body: { components: { chain: 'ok', store: 'store/unavailable' } },
  })
  // Whether the job was stored is not known until the database is back.
  const written = await ask('/api/memory/snapshot', memory)
  expect(written.status).toBeGreaterThanOrEqual(500)
  expect(['store/unavailable', 'transaction/unknown']).toContain(written.body.code)
  expect(JSON.stringify(written.body)).not.toContain('The chain')

  const lines = server.lines().filter(({ level }) => level >= 40)
  const codes = lines.map(({ code }) => code)
  expect(codes).toContain('store/unavailable')
  expect(codes).not.toContain('service/unexpected')
  const causes = lines.flatMap(causesOf)
  // Each line ends with words: those of PostgreSQL, or of the connection to it.
  for (const line of lines.filter(({ err }) => err !== undefined)) {
    expect([line.msg, causesOf(line).at(-1)?.message]).toEqual([line.msg, expect.any(String)])
  }
  expect(causes.map(({ code }) => code)).toContain('ECONNREFUSED')
  expect(JSON.stringify(lines)).not.toContain(secret)
})
