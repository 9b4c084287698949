import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type CatalogueEvent, sqlCatalogue } from '@heirloom/adapters/catalogue'
import { nobody } from '@heirloom/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketAct, perform } from '../harness/catalogue/acts.ts'
import type { IndexerProcessOptions } from '../harness/catalogue/indexer-process.ts'
import { type MarketHarness, marketHarness } from '../harness/catalogue/market-harness.ts'
import { readContent } from '../harness/catalogue/read-content.ts'
import { gatedChain } from '../harness/chain/gated-chain.ts'
import { packedProgram } from '../harness/process/packed-program.ts'
import { tier, times } from '../tier.ts'

let harness: MarketHarness

beforeAll(async () => {
  harness = await marketHarness()
  const acts = fc.sample(marketAct, { numRuns: times(120, 250), seed: 3 })
  for (const act of acts) if (!/read|restart/.test(act.kind)) await perform(harness.market, act)
  await harness.market.mine()
})
afterAll(() => harness.close())

/** Makes the first catch-up read one long range, then single blocks, each in a transaction. */
const reorgDepth = 20

/** Indexes the chain in another process; returns its exit code or signal. */
async function runIndexer(options: Pick<IndexerProcessOptions, 'db' | 'killBefore' | 'copies'>) {
  const { anvil, contracts } = harness
  const source = join(import.meta.dirname, '../harness/catalogue/indexer-process.ts')
  const script = await packedProgram(source)
  const all: IndexerProcessOptions = { rpc: anvil.url.href, contracts, reorgDepth, ...options }
  const child = spawn(process.execPath, [script, JSON.stringify(all)], { stdio: 'inherit' })
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

/** Resumes indexing in every file, a few at once, and compares the content. */
async function expectContent(files: readonly string[], content: unknown): Promise<void> {
  const queue = [...files]
  const work = async () => {
    for (let db = queue.shift(); db !== undefined; db = queue.shift()) {
      expect(await harness.contentAt(db, { reorgDepth }), db).toEqual(content)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
}

test('an indexer that is killed before any statement resumes to the same content', async () => {
  const content = await harness.contentAt(harness.path('sound.sqlite'))
  const copies = mkdtempSync(harness.path('copies-'))
  expect(await runIndexer({ db: harness.path('copied.sqlite'), copies })).toBe(0)
  const statements: string[] = JSON.parse(readFileSync(join(copies, 'statements.json'), 'utf8'))
  const commits = statements.flatMap((text, index) => (text === 'commit' ? [index] : []))
  expect(commits.length).toBeGreaterThan(2)
  // Each moment in the long tier, and else one in three with those around a commit.
  const moments = [...statements.keys(), statements.length].filter(
    (it) => tier === 'long' || it % 3 === 0 || commits.some((at) => Math.abs(it - at) < 2),
  )
  const files = moments.map((it) => join(copies, `${it}.sqlite`))
  const left = await readContent(join(copies, `${commits[1]}.sqlite`))
  await expectContent(files, content)

  // A real kill leaves the same content as the copy.
  const killed = harness.path('killed.sqlite')
  expect(await runIndexer({ db: killed, killBefore: 1 })).toBe('SIGKILL')
  expect(await readContent(killed)).toEqual(left)
  await expectContent([killed], content)
})

test('a node that refuses long ranges and long answers is read in shorter ranges', async () => {
  const chain = gatedChain(harness.anvil.url, { blocks: 7, logs: 5 })
  const content = await harness.contentAt(harness.path('short.sqlite'), { chain, reorgDepth: 2 })
  expect(content).toEqual(await harness.contentAt(harness.path('long.sqlite')))
  expect(chain.refused()).toBeGreaterThan(0)
})

test('a corrupt file, and one of other contracts, is rebuilt from the chain', async () => {
  const db = harness.path('damaged.sqlite')
  const content = await harness.contentAt(db)
  writeFileSync(db, Buffer.alloc(30_000, 7))
  expect(await harness.contentAt(db)).toEqual(content)
  const { registry, marketplace } = harness.contracts
  // It reads no block: only what it empties is seen.
  const swapped = { contracts: { registry: marketplace, marketplace: registry }, firstBlock: 1e9 }
  await sqlCatalogue({ chain: harness.anvil.url, db, ...swapped }).then((other) => other.close())
  expect((await readContent(db)).event).toEqual([])
  expect(await harness.contentAt(db)).toEqual(content)
})

/** Returns the bytes of a SQLite file that hold the first page of a table. */
function pageOf(path: string, table: string) {
  const file = new DatabaseSync(path)
  const size = Number(file.prepare('PRAGMA page_size').get()?.page_size)
  const found = file.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)
  file.close()
  const end = Number(found?.rootpage) * size
  return { begin: end - size, end }
}

test('a file with corrupt pages is rebuilt once a query reads them', async () => {
  const db = harness.path('broken.sqlite')
  const content = await harness.contentAt(db)
  // The indexer reads earnings only before it adds some.
  const { begin, end } = pageOf(db, 'income')
  writeFileSync(db, readFileSync(db).fill(7, begin, end))
  const { anvil, contracts } = harness
  const { promise: rebuilt, resolve } = Promise.withResolvers<void>()
  const observe = ({ kind }: CatalogueEvent) => (kind === 'rebuilt' ? resolve() : undefined)
  const catalogue = await sqlCatalogue({ chain: anvil.url, contracts, db, reorgDepth, observe })
  await expect(catalogue.earnings(nobody)).rejects.toMatchObject({ code: 'catalogue/unavailable' })
  await rebuilt
  await catalogue.caughtUp()
  await catalogue.close()
  expect(await harness.contentAt(db)).toEqual(content)
})

test('replicas of one database show what their leader indexes, and another takes over', async () => {
  const { anvil, contracts, market, postgres } = harness
  // No card is looked up twice, so that only new events make a change.
  const cards = async () => new Uint8Array()
  const open = () => sqlCatalogue({ chain: anvil.url, contracts, cards, db: postgres.url })
  const [first, second] = [await open(), await open()]
  const both = () => Promise.all([first.caughtUp(), second.caughtUp()])
  const lists = fc.sample(marketAct, { numRuns: 60, seed: 4 }).filter(({ kind }) => kind === 'list')
  const play = async () => {
    for (const act of lists) await perform(market, act)
    await market.mine()
  }
  await both()
  expect(await second.newestEventId()).toBe(await first.newestEventId())
  const changes = [first, second].map(
    (each) => new Promise<void>((resolve) => each.onChange(resolve)),
  )
  await play()
  await Promise.all(changes)
  await both()
  expect(await second.newestEventId()).toBe(await first.newestEventId())
  await first.close()
  await play()
  await second.caughtUp()
  await second.close()
  expect(await readContent(harness.postgres.url)).toEqual(
    await harness.contentAt(harness.path('alone.sqlite'), { cards }),
  )
})
