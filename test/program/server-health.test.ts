import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, type TestContext, test, vi } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'
import { until } from '../harness/nonce-lane/lane-fixture.ts'
import { movedClock } from '../harness/process/moved-clock.ts'
import { type ObjectStore, startObjectStore } from '../harness/process/object-store.ts'
import { startPostgres } from '../harness/process/postgres.ts'
import { type Environment, hostServer, type Snapshot } from '../harness/process/server.ts'

const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
  // A server in this process reads its credentials where every AWS program does.
  for (const [name, value] of Object.entries(credentials)) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await anvil.stop()
})

/** Servers that share a wallet, a database and a bucket, each with ways of its own to node and database. */
async function openPlace({ onTestFinished }: TestContext) {
  let postgres = await startPostgres()
  const bucket: ObjectStore = await startObjectStore()
  const home = mkdtempSync(join(tmpdir(), 'health-'))
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 21n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const url = new URL(bucket.url)
  const shared = {
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    AGENT_PRIVATE_KEY: key,
    MASTER_KEYS: randomBytes(32).toString('hex'),
    BLOB_URL: `s3:/${url.pathname}?endpoint=${url.origin}`,
    ...credentials,
  }
  let count = 0
  const ends: (() => Promise<unknown>)[] = []
  const start = async (more: Environment = {}) => {
    const gates = await Promise.all(
      [anvil.url, postgres.url].map(({ port }) => openGate(Number(port))),
    )
    const [node, database] = gates as [(typeof gates)[0], (typeof gates)[0]]
    const server = await hostServer({
      ...shared,
      DATA_DIR: join(home, `${count++}`),
      LOG_LEVEL: 'silent',
      RPC_URL: `http://127.0.0.1:${node.port}`,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${database.port}/postgres`,
      ...more,
    })
    ends.push(async () => {
      await server.end()
      await Promise.all(gates.map(({ close }) => close()))
    })
    return { url: server.url, node, database }
  }
  /** Restarts the database, whose folder may be changed meanwhile. */
  const restartPostgres = async (change: (folder: string) => void = () => undefined) => {
    const { folder, url: address, stop } = postgres
    await stop('fast')
    change(folder)
    postgres = await startPostgres({ folder, port: Number(address.port) })
  }
  /** Locks the tables of the jobs against writes, as building an index does, until the result is called. */
  const lockTables = async () => {
    const client = new pg.Client({ connectionString: postgres.url.href })
    await client.connect()
    ends.push(() => client.end())
    await client.query('BEGIN; LOCK TABLE job, slot, lane IN SHARE MODE')
    return () => client.query('ROLLBACK')
  }
  onTestFinished(async () => {
    await Promise.all(ends.map((end) => end()))
    await Promise.all([postgres.stop('fast'), bucket.close()])
    for (const folder of [home, postgres.folder]) rmSync(folder, { recursive: true })
  })
  return { home, bucket, start, restartPostgres, lockTables }
}

type At = { readonly url: string }

async function health({ url }: At) {
  const reply = await fetch(`${url}/readyz`)
  const { components } = (await reply.json()) as { components: Readonly<Record<string, string>> }
  return { status: reply.status, components }
}

/** Makes a memory, and returns its token; `undefined` where it was refused. */
async function write({ url }: At): Promise<string | undefined> {
  const body = '{"data":{},"metadata":{"category":"research"}}'
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const reply = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
  return reply.status === 201 ? ((await reply.json()) as Snapshot).tokenId : undefined
}

const isReady = async (server: At) => (await health(server)).status === 200

// Each waits most of the time: until a part is known to be silent, or answers again.
describe.concurrent('/readyz', () => {
  test('names the node, the bucket and the database that do not answer, each for itself', async (context) => {
    const { bucket, start } = await openPlace(context)
    const server = await start()
    await until(() => isReady(server))
    const silent = async () =>
      Object.entries((await health(server)).components)
        .filter(([, state]) => state === 'service/part-silent')
        .map(([part]) => part)
    server.node.stall()
    await until(async () => (await silent()).join() === 'chain')
    // It leaves every request without an answer.
    bucket.fault = () => true
    await until(async () => (await silent()).join() === 'chain,storage')
    server.database.stall()
    await until(async () => (await silent()).join() === 'chain,storage,store,catalogue')
    bucket.fault = undefined
    server.node.retarget(Number(anvil.url.port))
    server.database.open()
    await until(() => isReady(server))
  })

  test('names the database whose tables can be read and not written', async (context) => {
    const { expect } = context
    const { start, lockTables } = await openPlace(context)
    const server = await start()
    await until(() => isReady(server))
    const unlock = await lockTables()
    const components = { chain: 'ok', store: 'service/part-silent' }
    await expect.poll(() => health(server)).toMatchObject({ status: 503, components })
    await unlock()
    await until(() => isReady(server))
  })

  test('is well on each server again after every restart of the database', async (context) => {
    const { start, restartPostgres } = await openPlace(context)
    const servers = [await start(), await start(), await start()]
    let [isOver, written] = [false, 0]
    const clients = servers.map(async (server) => {
      while (!isOver) if ((await write(server)) !== undefined) written += 1
    })
    for (const _restart of [1, 2, 3, 4]) {
      const goal = written + 5
      await until(() => written >= goal)
      await restartPostgres()
      for (const server of servers) await until(() => isReady(server))
    }
    isOver = true
    await Promise.all(clients)
  })
})

test.concurrent('a server says that an older copy of its database was put back, until the newest one is', async (context) => {
  const { expect, onTestFinished } = context
  const { start, restartPostgres } = await openPlace(context)
  const server = await start()
  await until(() => isReady(server))
  let [older, newest] = ['', '']
  await restartPostgres((folder) => {
    ;[older, newest] = [`${folder}-older`, `${folder}-newest`]
    // PostgreSQL wants the owner of its files.
    execFileSync('cp', ['-a', folder, older])
  })
  onTestFinished(() => rmSync(older, { recursive: true, force: true }))
  await until(async () => (await write(server)) !== undefined)
  await until(() => isReady(server))
  const says = async (store: string, forgotten: 0 | 1) => {
    await until(async () => (await health(server)).components.store === store)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(new RegExp(`^heirloom_jobs_forgotten ${forgotten}$`, 'm'))
  }
  await says('ok', 0)
  await restartPostgres((folder) => {
    renameSync(folder, newest)
    renameSync(older, folder)
  })
  await says('folder/unusable', 1)
  // A newer job does not hide that an earlier one is gone.
  await until(async () => (await write(server)) !== undefined)
  await says('folder/unusable', 1)
  await restartPostgres((folder) => {
    renameSync(folder, older)
    renameSync(newest, folder)
  })
  await says('ok', 0)
})

test.concurrent('a server whose node answers writes and indexes for one whose node is silent', async (context) => {
  const { expect } = context
  const { start } = await openPlace(context)
  const [first, second] = [await start(), await start()]
  for (const server of [first, second]) await until(() => isReady(server))
  expect(await write(second)).toBe('1')
  first.node.stall()
  let token: string | undefined
  await until(async () => {
    token = await write(second)
    return token !== undefined
  })
  await until(async () => (await fetch(`${second.url}/api/memory/${token}/history`)).status === 200)
  expect((await health(first)).components.chain).not.toBe('ok')
  await until(() => isReady(second))
  first.node.retarget(Number(anvil.url.port))
})

test.concurrent('a server with a wrong clock says so, and stays ready', async (context) => {
  const { expect } = context
  const { home, start } = await openPlace(context)
  const clock = movedClock(home)
  clock.moveOn(300_000)
  const server = await start({ ...clock.environment, LOG_LEVEL: 'warn' })
  await until(() => isReady(server))
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  for (const other of ['database', 'storage']) {
    const line = new RegExp(`^heirloom_clock_ahead_seconds{clock="${other}"} (.*)$`, 'm')
    expect(Math.round(Number(line.exec(metrics)?.[1]) / 10)).toBe(30)
  }
  const readFailures = async () => (await fetch(`${server.url}/api/operator`)).text()
  await until(async () => (await readFailures()).includes('the clock of this machine differs'))
  await until(() => isReady(server))
})
