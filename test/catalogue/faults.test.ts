import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digest, hash, isFailure, nobody } from '@heirloom/core'
import { afterEach, expect, test, vi } from 'vitest'
import { readCatalogueState } from '../../packages/adapters/src/catalogue/projection/advance.ts'
import { sqliteCatalogueStore } from '../../packages/adapters/src/catalogue/sqlite-catalogue-store.ts'
import {
  catalogueHarness,
  type OpenCatalogueHarness,
} from '../harness/catalogue/catalogue-harness.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import { startMountedServer } from '../harness/process/mounted-server.ts'
import { startPostgres } from '../harness/process/postgres.ts'
import { agentOf, downloadAs, hostServer, post } from '../harness/process/server.ts'
import { longestWait } from '../tier.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-faults-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Repeats a request until its answer meets a condition, and returns that answer. */
async function until<T>(request: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  const done = await vi.waitUntil(
    async () => {
      const answer = await request()
      return isDone(answer) && { answer }
    },
    { interval: 20, timeout: longestWait },
  )
  return done.answer
}

/** Moves only the catalogue to a small file system. */
const moveToSmallDisk = [
  'mount -t tmpfs -o size=1m tmpfs "$0/small"',
  'cp "$0/saved" "$0/small/catalogue.sqlite"',
  'ln -s small/catalogue.sqlite "$0/catalogue.sqlite"',
].join(' && ')

test('a catalogue with a full disk reports it, affects nothing else, and recovers', async () => {
  const folder = newFolder()
  const first = await hostServer({ DATA_DIR: folder })
  expect(await first.end()).toBe(0)
  mkdirSync(join(folder, 'small'))
  renameSync(join(folder, 'catalogue.sqlite'), join(folder, 'saved'))
  const { url, inside, end } = await startMountedServer(folder, moveToSmallDisk)
  cleanups.push(() => end('SIGKILL'))
  const snapshot = async (thought: string) => {
    const body = JSON.stringify({ data: { thought }, metadata: { category: 'research' } })
    const reply = await post(url, '/api/memory/snapshot', body)
    expect(reply.status).toBe(201)
    return ((await reply.json()) as { tokenId: string }).tokenId
  }
  const listed = async () => {
    const reply = await fetch(`${url}/api/memory?limit=100`)
    const { items } = (await reply.json()) as { items: readonly { tokenId: string }[] }
    return items.map(({ tokenId }) => tokenId)
  }
  const ready = async () => (await fetch(`${url}/readyz`)).json() as Promise<Readiness>
  const before = await snapshot('before')
  await until(listed, (ids) => ids.includes(before))
  await expect.poll(async () => (await ready()).status).toBe('ok')

  inside('cat /dev/zero > "$0/small/filler" || true')
  const minted: string[] = []
  const down = await until(
    async () => {
      minted.unshift(await snapshot(`while it is full ${minted.length}`))
      return ready()
    },
    ({ status }) => status !== 'ok',
  )
  const others = { chain: 'ok', storage: 'ok', store: 'ok', disk: 'ok' }
  const components = { ...others, catalogue: 'catalogue/unavailable' }
  expect(down).toMatchObject({ status: 503, component: 'catalogue', components })
  expect(await listed()).toContain(before)
  const [last = ''] = minted
  expect((await downloadAs(agentOf(folder), url, last)).status).toBe(200)

  inside('rm "$0/small/filler"')
  await until(ready, ({ status }) => status === 'ok')
  expect(await until(listed, (ids) => ids.includes(last))).toEqual([...minted, before])
})

type Readiness = { readonly status: string | number; readonly components: object }

const codeOf = (query: Promise<unknown>) =>
  query.then(
    () => 'answered',
    (error: unknown) => (isFailure(error) ? error.code : error),
  )

async function mint({ parties, catalogue, caughtUp }: OpenCatalogueHarness) {
  const { ledger } = parties[0] as (typeof parties)[number]
  const token = {
    contentHash: hash(`0x${'c0'.repeat(32)}`),
    digest: digest(`0x${'d1'.repeat(32)}`),
  }
  const { tokenId } = await ledger.mint({ ...token, parent: undefined, recipient: ledger.agent })
  await caughtUp()
  return () => catalogue.token(tokenId)
}

test('a catalogue on PostgreSQL is rebuilt when a query finds it corrupt', async () => {
  const postgres = await startPostgres()
  cleanups.push(() => rmSync(postgres.folder, { recursive: true }))
  cleanups.push(() => postgres.stop('fast'))
  const harness = await catalogueHarness(await openEmbeddedHarness(), { db: postgres.url })
  cleanups.push(harness.close)
  await mint(harness)
  // Only this query reads the earnings; the indexer would not notice that they are gone.
  const query = () => harness.catalogue.earnings(nobody)
  const before = await query()
  const [schema] = await postgres.run(
    "SELECT schemaname FROM pg_tables WHERE tablename = 'undone' LIMIT 1",
  )
  await postgres.run(`DROP TABLE "${schema}".income`)
  expect(await codeOf(query())).toBe('catalogue/unavailable')
  const answer = () => query().catch(() => undefined)
  expect(await until(answer, (earnings) => earnings !== undefined)).toEqual(before)
})

test('a catalogue on PostgreSQL answers again after PostgreSQL was restarted', async () => {
  const postgres = await startPostgres()
  cleanups.push(() => rmSync(postgres.folder, { recursive: true }))
  const harness = await catalogueHarness(await openEmbeddedHarness(), { db: postgres.url })
  cleanups.push(harness.close)
  const query = await mint(harness)
  const before = await query()
  await postgres.stop('immediate')
  expect(await codeOf(query())).toBe('catalogue/unavailable')
  const { folder, url } = postgres
  const restarted = await startPostgres({ folder, port: Number(url.port) })
  cleanups.splice(1, 0, () => restarted.stop('fast'))
  const answer = () => query().catch(() => undefined)
  expect(await until(answer, (token) => token !== undefined)).toEqual(before)
})

test('a file that cannot be created again counts as corrupt until it can', async () => {
  const path = join(newFolder(), 'catalogue.sqlite')
  const contract = `0x${'1'.repeat(40)}` as const
  const genesis = `0x${'2'.repeat(64)}` as const
  const identity = { chainId: 1, genesis, registry: contract, marketplace: contract }
  const store = await sqliteCatalogueStore(path, identity)
  cleanups.push(store.close)
  const error = new Error('not an error of SQLite')
  expect((await readCatalogueState(store.db)).block).toBe(-1)
  expect([store.isBroken(error), store.isStoreError(error)]).toEqual([false, false])
  rmSync(path)
  mkdirSync(path)
  await expect(store.reset()).rejects.toThrow()
  await expect(readCatalogueState(store.db)).rejects.toThrow()
  expect([store.isBroken(error), store.isStoreError(error)]).toEqual([true, true])
  rmdirSync(path)
  await store.reset()
  expect([store.isBroken(error), (await readCatalogueState(store.db)).block]).toEqual([false, -1])
})
