import { copyFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type SqlCatalogue, sqlCatalogue } from '@heirloom/adapters/catalogue'
import { type NodePool, nodePool } from '@heirloom/adapters/internal/nodes'
import fc from 'fast-check'
import pg from 'pg'
import { toHex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { marketAct, perform } from '../harness/catalogue/acts.ts'
import { type MarketHarness, marketHarness } from '../harness/catalogue/market-harness.ts'
import { readContent } from '../harness/catalogue/read-content.ts'
import { type Lie, type LyingProxy, startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { laterTimes, wrongAnswers } from '../harness/chain/wrong-answers.ts'
import { longestWait, seedOfRun, tier, times } from '../tier.ts'

const [blocks, acts] = [times(120, 10_000), times(120, 600)]

/**
 * Bounds a wait for what must come. A catalogue reads 16 blocks a second time, and rests for a quarter
 * of a second: 10,000 blocks take it three minutes where nothing else runs.
 */
const patience = tier === 'long' ? 5 * longestWait : longestWait

/** The blocks near the head, which are read one by one; the others in long ranges. */
const reorgDepth = 16

let harness: MarketHarness
let honest: Awaited<ReturnType<MarketHarness['contentAt']>>

beforeAll(async () => {
  harness = await marketHarness()
  const { market, contentAt, path } = harness
  const performed = fc.sample(marketAct, { numRuns: acts, seed: seedOfRun })
  const mine = (count: number) => market.ask('anvil_mine', toHex(count))
  // Most blocks of a chain hold no event of the contracts. A block takes anvil time in proportion to its
  // state, so that nearly all of them are between the first acts.
  const empty = Math.max(1, blocks - acts - 100)
  const early = Math.ceil(acts / 10)
  for (const [at, act] of performed.entries()) {
    if (act.kind !== 'reorganise') await perform(market, act)
    if (at < early && blocks > 2 * acts) await mine(Math.floor(empty / early))
  }
  await market.mine()
  await mine(Math.max(1, blocks - Number(await market.client.getBlockNumber())))
  honest = await contentAt(path('honest.sqlite'), { reorgDepth })
}, patience)
afterAll(() => harness.close())

let databases = 0

/** Returns an empty database of its own. */
async function newDatabase(store: 'SQLite' | 'PostgreSQL'): Promise<string | URL> {
  databases += 1
  const name = `catalogue_${databases}`
  if (store === 'SQLite') return harness.path(`${name}.sqlite`)
  await harness.postgres.run(`CREATE DATABASE ${name}`)
  return new URL(`/${name}`, harness.postgres.url)
}

/** The time between two looks at a chain or a catalogue, in milliseconds. */
const interval = 25

/**
 * Waits until a condition holds of a catalogue, which looks for news by itself. A busy machine may lose
 * the lease of PostgreSQL, which takes it back.
 */
const waitUntil = (
  catalogue: Pick<SqlCatalogue, 'progress'>,
  holds: (progress: Awaited<ReturnType<SqlCatalogue['progress']>>) => boolean,
): Promise<unknown> =>
  vi.waitUntil(() => catalogue.progress().then(holds, () => false), {
    interval,
    timeout: patience,
  })

/** Returns a chain that may have changed at any time, so that nobody pauses before looking at it. */
const eager = (pool: Pick<NodePool, 'request' | 'requestElsewhere'>) => ({
  request: pool.request,
  requestElsewhere: pool.requestElsewhere,
  onState: (call: () => void) => {
    const timer = setInterval(call, interval)
    return () => clearInterval(timer)
  },
})

type Way = {
  readonly store: 'SQLite' | 'PostgreSQL'
  readonly nodes: 'one node' | 'one node of two'
}

/** Indexes the chain, of which a node shows something else until this is noticed or harms nothing. */
async function indexFrom(lie: Lie, db: string | URL, { nodes }: Way): Promise<void> {
  const { contracts, anvil, market } = harness
  const head = await market.client.getBlockNumber()
  const { hash: genesis } = await market.client.getBlock({ blockNumber: 0n })
  const proxy = await startLyingProxy(anvil.url)
  proxy.lie(lie)
  const pool = nodePool(nodes === 'one node' ? [proxy.url] : [proxy.url, anvil.url])
  let [failures, isDone] = [0, false]
  const catalogue = await sqlCatalogue({
    chain: eager(pool),
    contracts,
    origin: { chainId: 31337, genesis },
    db,
    reorgDepth,
    observe: (event) => {
      if (event.kind === 'failed') failures += 1
      if (event.kind === 'stands') isDone = event.confirmed >= event.head
    },
  })
  await waitUntil(catalogue, ({ doubt }) => doubt !== undefined || failures > 3 || isDone)
  proxy.lie()
  await waitUntil(catalogue, ({ confirmed, doubt }) => confirmed >= head && doubt === undefined)
  await catalogue.close()
  pool.close()
  await proxy.close()
}

const ways: readonly Way[] = (['SQLite', 'PostgreSQL'] as const).flatMap((store) =>
  (['one node', 'one node of two'] as const).map((nodes) => ({ store, nodes })),
)

for (const [index, [name, lie]] of Object.entries(wrongAnswers).entries()) {
  // Each wrong answer in one way, in turn; in the long tier in both stores, and both ways of the nodes.
  const way = index % ways.length
  const chosen = ways.filter((_, at) => at === way || (tier === 'long' && at === 3 - way))
  test.concurrent(
    `a catalogue ends like that of an honest node after ${name}`,
    async () => {
      const endAsHonest = async (each: Way) => {
        const db = await newDatabase(each.store)
        await indexFrom(lie(), db, each)
        expect(await readContent(db), JSON.stringify(each)).toEqual(honest)
      }
      await Promise.all(chosen.map(endAsHonest))
    },
    patience,
  )
}

type Following = {
  readonly callsPerReading: number
  /** The most looks for a new head within a second. */
  readonly looksInASecond: number
  readonly content: typeof honest
}

/** Reads the chain twice from an honest node into a file, so that those who go on from it need not. */
async function readTwice(db: string): Promise<void> {
  const { contracts, anvil } = harness
  const pool = nodePool([anvil.url])
  const catalogue = await sqlCatalogue({ chain: eager(pool), contracts, db, reorgDepth })
  await waitUntil(catalogue, ({ block, confirmed }) => block > 0n && confirmed === block)
  await catalogue.close()
  pool.close()
}

/** Returns how often a proxy was asked for the head within a second at most, from a request on. */
function mostInASecond({ requests, times }: LyingProxy, from: number): number {
  const looks = times.filter(
    (_, at) => at >= from && requests[at]?.some(({ method }) => method === 'eth_blockNumber'),
  )
  const counts = looks.map((it) => looks.filter((at) => at >= it && at < it + 1000).length)
  return Math.max(0, ...counts)
}

/**
 * Goes on with a catalogue from a node that is honest at first, lies for four readings while a token is
 * minted, and is honest again. Returns the calls that each reading took meanwhile, and the content at
 * the end.
 */
async function followFrom(
  lie: Lie,
  db: string,
  mintOne: () => Promise<unknown>,
): Promise<Following> {
  const { contracts, anvil, market } = harness
  const proxy = await startLyingProxy(anvil.url)
  const pool = nodePool([proxy.url])
  let readings = 0
  const catalogue = await sqlCatalogue({
    // It has the pauses of a server.
    chain: pool,
    contracts,
    db,
    reorgDepth,
    observe: ({ kind }) => {
      if (kind === 'stands') readings += 1
    },
  })
  await waitUntil(catalogue, ({ block, confirmed }) => readings > 0 && confirmed === block)
  proxy.lie(lie)
  await mintOne()
  const [before, called] = [readings, proxy.requests.flat().length]
  const from = proxy.requests.length
  await expect.poll(() => readings - before, { timeout: longestWait }).toBeGreaterThanOrEqual(4)
  const callsPerReading = (proxy.requests.flat().length - called) / (readings - before)
  const looksInASecond = mostInASecond(proxy, from)
  proxy.lie()
  const head = await market.client.getBlockNumber()
  await waitUntil(catalogue, ({ confirmed, doubt }) => confirmed >= head && doubt === undefined)
  await catalogue.close()
  pool.close()
  await proxy.close()
  return { callsPerReading, looksInASecond, content: await readContent(db) }
}

test(
  'a catalogue that follows the chain asks a wrong node little, and loses nothing',
  async () => {
    const { market, path, contentAt } = harness
    const { promise: all, resolve } = Promise.withResolvers<void>()
    const names = Object.keys(wrongAnswers)
    let ready = 0
    await readTwice(path('read.sqlite'))
    // All catalogues have read the chain before it goes on.
    const mintOne = async () => {
      ready += 1
      if (ready === names.length) {
        await perform(market, { kind: 'mint', numbers: [0, 1, 2, 3] })
        await market.mine()
        resolve()
      }
      await all
    }
    const ends = await Promise.all(
      Object.values(wrongAnswers).map((lie, at) => {
        const db = path(`following-${at}.sqlite`)
        copyFileSync(path('read.sqlite'), db)
        return followFrom(lie(), db, mintOne)
      }),
    )
    const expected = await contentAt(path('following.sqlite'), { reorgDepth })
    for (const [at, name] of names.entries()) {
      expect(ends[at]?.callsPerReading, name).toBeLessThan(20)
      expect(ends[at]?.looksInASecond, name).toBeLessThanOrEqual(10)
      expect(ends[at]?.content, name).toEqual(expected)
    }
  },
  patience,
)

test(
  'a catalogue takes back times that later blocks contradict',
  async () => {
    const { contracts, anvil, market, path, contentAt } = harness
    const proxy = await startLyingProxy(anvil.url)
    const pool = nodePool([proxy.url])
    const db = path('later-times.sqlite')
    const catalogue = await sqlCatalogue({ chain: eager(pool), contracts, db, reorgDepth })
    const act = async () => {
      await perform(market, { kind: 'mint', numbers: [0, 1, 2, 3] })
      await market.mine()
      return market.client.getBlockNumber()
    }
    const stands = async () => {
      const head = await act()
      await waitUntil(catalogue, ({ block, doubt }) => block >= head && doubt === undefined)
    }
    await stands()
    // No answer contradicts another until the next block with an event.
    proxy.lie(laterTimes)
    await stands()
    await stands()
    proxy.lie()
    await stands()
    await catalogue.close()
    pool.close()
    await proxy.close()
    const expected = await contentAt(path('right-times.sqlite'), { reorgDepth })
    expect(await readContent(db)).toEqual(expected)
  },
  longestWait,
)

test(
  'a catalogue follows a chain whose clock was set back',
  async () => {
    const { contracts, anvil, market, path } = harness
    const pool = nodePool([anvil.url])
    const db = path('set-back.sqlite')
    const catalogue = await sqlCatalogue({ chain: eager(pool), contracts, db, reorgDepth })
    await perform(market, { kind: 'mint', numbers: [0, 1, 2, 3] })
    await market.mine()
    const { timestamp } = await market.client.getBlock()
    const setTime = (at: bigint) => market.ask('evm_setTime', toHex(at))
    await setTime(timestamp - 1000n)
    await perform(market, { kind: 'mint', numbers: [0, 1, 2, 3] })
    await market.mine()
    const { number, timestamp: later } = await market.client.getBlock()
    expect(later).toBeLessThan(timestamp)
    await waitUntil(catalogue, ({ block, doubt }) => block >= number && doubt === undefined)
    await catalogue.close()
    pool.close()
    await setTime(timestamp)
  },
  longestWait,
)

/** Headers whose filters are empty although their blocks have events, as some chains have them. */
const noFilters: Lie = (call, truth) => wrongAnswers['blocks without events']?.()(call, truth)

/**
 * Follows a chain that leaves the filters of its headers empty, from a node that leaves out all events of
 * an act until the catalogue has noticed or believed it. Returns the content once the act is deep.
 */
async function followWithoutFilters(kind: 'mint' | 'list'): Promise<typeof honest> {
  const { contracts, anvil, market, path } = harness
  const proxy = await startLyingProxy(anvil.url)
  const pool = nodePool([proxy.url])
  const db = path(`without-filters-${kind}.sqlite`)
  let readings = 0
  proxy.lie(noFilters)
  const catalogue = await sqlCatalogue({
    chain: eager(pool),
    contracts,
    db,
    reorgDepth,
    observe: ({ kind: event }) => {
      if (event === 'stands') readings += 1
    },
  })
  const head = () => market.client.getBlockNumber()
  // What was read in truth is confirmed before, so that only the act is in question.
  await market.ask('anvil_mine', toHex(100))
  const before = await head()
  await waitUntil(
    catalogue,
    ({ block, confirmed }) => block === before && confirmed > before - 100n,
  )
  proxy.lie((call, truth) => (call.method === 'eth_getLogs' ? [] : noFilters(call, truth)))
  await perform(market, { kind, numbers: [0, 1, 2, 3] })
  await market.mine()
  const act = await head()
  // Each step reads 16 blocks a second time, if their headers tell anything.
  const enough = readings + Number(act) / 16 + 4
  await waitUntil(catalogue, ({ doubt }) => readings > enough || doubt !== undefined)
  proxy.lie(noFilters)
  await market.ask('anvil_mine', toHex(100))
  await waitUntil(catalogue, ({ confirmed, doubt }) => confirmed >= act && doubt === undefined)
  await catalogue.close()
  pool.close()
  await proxy.close()
  return readContent(db)
}

test.each(['mint', 'list'] as const)(
  'a catalogue of a chain without filters gets the events of a %s that a node left out',
  async (kind) => {
    const content = await followWithoutFilters(kind)
    const expected = await harness.contentAt(harness.path(`with-${kind}.sqlite`), { reorgDepth })
    expect(content).toEqual(expected)
  },
  longestWait,
)

for (const store of ['SQLite', 'PostgreSQL'] as const) {
  test(
    `a position far above the head returns to the chain in ${store}, and nothing is lost`,
    async () => {
      const { anvil, contracts, market } = harness
      const db = await newDatabase(store)
      const pool = nodePool([anvil.url])
      const open = () => sqlCatalogue({ chain: eager(pool), contracts, db, reorgDepth })
      const first = await open()
      await first.caughtUp()
      await first.close()
      await movePosition(db, 100_000)
      await perform(market, { kind: 'mint', numbers: [0, 1, 2, 3] })
      await market.mine()
      const head = await market.client.getBlockNumber()
      const catalogue = await open()
      await waitUntil(catalogue, ({ block, confirmed }) => block === head && confirmed === head)
      await catalogue.close()
      pool.close()
      const fresh = harness.path(`fresh-${databases}.sqlite`)
      expect(await readContent(db)).toEqual(await harness.contentAt(fresh, { reorgDepth }))
    },
    longestWait,
  )
}

/** Moves the position of a closed catalogue, as a far head did before it was asked for its block. */
async function movePosition(db: string | URL, by: number): Promise<void> {
  const move = `UPDATE meta SET block = block + ${by}, head = head + ${by}`
  if (!(db instanceof URL)) {
    const file = new DatabaseSync(db)
    file.exec(`${move}; DELETE FROM block`)
    file.close()
    return
  }
  const client = new pg.Client({ connectionString: db.href })
  await client.connect()
  const schemas = `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'heirloom_catalogue_%'`
  const [schema] = (await client.query<{ name: string }>(schemas)).rows
  await client.query(`SET search_path TO ${schema?.name}; ${move}; DELETE FROM block`)
  await client.end()
}
