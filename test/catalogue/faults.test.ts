import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { digest, hash, isFailure, nobody } from '@heirloom/core'
import { afterEach, expect, test } from 'vitest'
import { standing } from '../../packages/adapters/src/catalogue/projection/advance.ts'
import { sqliteStore } from '../../packages/adapters/src/catalogue/sqlite.ts'
import { catalogueWorld, type OpenCatalogueWorld } from '../harness/catalogue/catalogue.ts'
import { embeddedWorld } from '../harness/chain/embedded.ts'
import { startMountedServer } from '../harness/process/mounted-server.ts'
import { startPostgres } from '../harness/process/postgres.ts'
import { agentOf, downloadAs, post, startServer } from '../harness/process/server.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  while (opened.length > 0) await opened.pop()?.()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-faults-'))
  opened.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns the first answer that is as wanted. */
async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    // An answer that needs no waiting would let nothing else happen.
    await setImmediate()
  }
}

/** Puts the catalogue alone on a small file system. */
const cramped = [
  'mount -t tmpfs -o size=1m tmpfs "$0/small"',
  'cp "$0/kept" "$0/small/catalogue.sqlite"',
  'ln -s small/catalogue.sqlite "$0/catalogue.sqlite"',
].join(' && ')

test('a catalogue whose disk is full says so, holds up nothing else, and goes on', async () => {
  const folder = newFolder()
  const first = await startServer({ DATA_DIR: folder })
  expect(await first.end('SIGTERM')).toBe(0)
  mkdirSync(join(folder, 'small'))
  renameSync(join(folder, 'catalogue.sqlite'), join(folder, 'kept'))
  const { url, inside, end } = await startMountedServer(folder, cramped)
  opened.push(() => end('SIGKILL'))
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
  expect((await ready()).status).toBe('ok')

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

const codeOf = (question: Promise<unknown>) =>
  question.then(
    () => 'answered',
    (error: unknown) => (isFailure(error) ? error.code : error),
  )

async function mint({ parties, catalogue, caughtUp }: OpenCatalogueWorld) {
  const { ledger } = parties[0] as (typeof parties)[number]
  const token = {
    contentHash: hash(`0x${'c0'.repeat(32)}`),
    digest: digest(`0x${'d1'.repeat(32)}`),
  }
  const { tokenId } = await ledger.mint({ ...token, parent: undefined, recipient: ledger.agent })
  await caughtUp()
  return () => catalogue.token(tokenId)
}

test('a catalogue on PostgreSQL is made again where a question finds it broken', async () => {
  const postgres = await startPostgres()
  opened.push(() => rmSync(postgres.folder, { recursive: true }))
  opened.push(() => postgres.stop('fast'))
  const world = await catalogueWorld(await embeddedWorld(), { db: postgres.url })
  opened.push(world.close)
  await mint(world)
  // Nobody but who asks for it reads what accounts have earned.
  const ask = () => world.catalogue.earnings(nobody)
  const whole = await ask()
  const [schema] = await postgres.run(
    "SELECT schemaname FROM pg_tables WHERE tablename = 'undone' LIMIT 1",
  )
  await postgres.run(`DROP TABLE "${schema}".income`)
  expect(await codeOf(ask())).toBe('catalogue/unavailable')
  const answer = () => ask().catch(() => undefined)
  expect(await until(answer, (token) => token !== undefined)).toEqual(whole)
})

test('a catalogue on PostgreSQL answers again when that is back', async () => {
  const postgres = await startPostgres()
  opened.push(() => rmSync(postgres.folder, { recursive: true }))
  const world = await catalogueWorld(await embeddedWorld(), { db: postgres.url })
  opened.push(world.close)
  const ask = await mint(world)
  const whole = await ask()
  await postgres.stop('immediate')
  expect(await codeOf(ask())).toBe('catalogue/unavailable')
  const { folder, url } = postgres
  const back = await startPostgres({ folder, port: Number(url.port) })
  opened.splice(1, 0, () => back.stop('fast'))
  const answer = () => ask().catch(() => undefined)
  expect(await until(answer, (token) => token !== undefined)).toEqual(whole)
})

test('a file that cannot be begun again counts as broken until it can', async () => {
  const path = join(newFolder(), 'catalogue.sqlite')
  const contract = `0x${'1'.repeat(40)}` as const
  const genesis = `0x${'2'.repeat(64)}` as const
  const identity = { chainId: 1, genesis, registry: contract, marketplace: contract }
  const store = await sqliteStore(path, identity)
  opened.push(store.close)
  const fault = new Error('no error of SQLite')
  expect((await standing(store.db)).block).toBe(-1)
  expect([store.isBroken(fault), store.isOwn(fault)]).toEqual([false, false])
  rmSync(path)
  mkdirSync(path)
  await expect(store.empty()).rejects.toThrow()
  await expect(standing(store.db)).rejects.toThrow()
  expect([store.isBroken(fault), store.isOwn(fault)]).toEqual([true, true])
  rmdirSync(path)
  await store.empty()
  expect([store.isBroken(fault), (await standing(store.db)).block]).toEqual([false, -1])
})
