import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CatalogueEvent, sqlCatalogue } from '@heirloom/adapters/catalogue'
import { nobody } from '@heirloom/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arbitraryAct, perform } from '../harness/catalogue/acts.ts'
import type { CatalogueChildOptions } from '../harness/catalogue/indexer-process.ts'
import { contentOf } from '../harness/catalogue/read-content.ts'
import { type CatalogueStage, catalogueStage } from '../harness/catalogue/market-harness.ts'
import { gatedChain } from '../harness/chain/gated-chain.ts'

let stage: CatalogueStage

beforeAll(async () => {
  stage = await catalogueStage()
  const acts = fc.sample(arbitraryAct, { numRuns: 250, seed: 3 })
  for (const act of acts) if (!/read|restart/.test(act.kind)) await perform(stage.market, act)
  await stage.market.mine()
})
afterAll(() => stage.close())

/** So that a first catch-up reads one long range and some newest blocks, each in a transaction. */
const reorgDepth = 20

/** Follows the chain in a process of its own; tells how that ended. */
async function live(options: Pick<CatalogueChildOptions, 'db' | 'killBefore' | 'copies'>) {
  const { anvil, contracts } = stage
  const script = join(import.meta.dirname, '../harness/catalogue/indexer-process.ts')
  const all: CatalogueChildOptions = { rpc: anvil.url.href, contracts, reorgDepth, ...options }
  const child = spawn(process.execPath, [script, JSON.stringify(all)], { stdio: 'inherit' })
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

/** Goes on in every file, a few at once, and compares what it then holds. */
async function expectInAll(files: readonly string[], content: unknown): Promise<void> {
  const queue = [...files]
  const work = async () => {
    for (let db = queue.shift(); db !== undefined; db = queue.shift()) {
      expect(await stage.contentAt(db, { reorgDepth }), db).toEqual(content)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
}

test('a follower that is killed before any statement goes on to the same content', async () => {
  const content = await stage.contentAt(stage.path('sound.sqlite'))
  const copies = mkdtempSync(stage.path('copies-'))
  expect(await live({ db: stage.path('copied.sqlite'), copies })).toBe(0)
  const statements: string[] = JSON.parse(readFileSync(join(copies, 'statements.json'), 'utf8'))
  const commits = statements.flatMap((text, index) => (text === 'commit' ? [index] : []))
  expect(commits.length).toBeGreaterThan(2)
  const files = [...statements.keys(), statements.length].map((it) => join(copies, `${it}.sqlite`))
  const left = await contentOf(join(copies, `${commits[1]}.sqlite`))
  await expectInAll(files, content)

  // A real kill shows that a copy is what it leaves.
  const killed = stage.path('killed.sqlite')
  expect(await live({ db: killed, killBefore: 1 })).toBe('SIGKILL')
  expect(await contentOf(killed)).toEqual(left)
  await expectInAll([killed], content)
})

test('a node that refuses long ranges and long answers is read in shorter ones', async () => {
  const chain = gatedChain(stage.anvil.url, { blocks: 7, logs: 5 })
  const content = await stage.contentAt(stage.path('short.sqlite'), { chain, reorgDepth: 2 })
  expect(content).toEqual(await stage.contentAt(stage.path('long.sqlite')))
  expect(chain.refused()).toBeGreaterThan(0)
})

test('a broken file, and one of other contracts, is made again from the chain', async () => {
  const db = stage.path('damaged.sqlite')
  const content = await stage.contentAt(db)
  writeFileSync(db, Buffer.alloc(30_000, 7))
  expect(await stage.contentAt(db)).toEqual(content)
  const { registry, marketplace } = stage.contracts
  const swapped = { contracts: { registry: marketplace, marketplace: registry } }
  await sqlCatalogue({ chain: stage.anvil.url, db, ...swapped }).then((other) => other.close())
  expect((await contentOf(db)).event).toEqual([])
  expect(await stage.contentAt(db)).toEqual(content)
})

test('a file with broken pages is made again once somebody asks for what was on them', async () => {
  const db = stage.path('broken.sqlite')
  const content = await stage.contentAt(db)
  // Only the indexes of tokens and all of rentals and earnings; the follower asks for none of them.
  writeFileSync(db, readFileSync(db).fill(7, 60_000, 120_000))
  const { anvil, contracts } = stage
  const { promise: rebuilt, resolve } = Promise.withResolvers<void>()
  const observe = ({ kind }: CatalogueEvent) => (kind === 'rebuilt' ? resolve() : undefined)
  const catalogue = await sqlCatalogue({ chain: anvil.url, contracts, db, reorgDepth, observe })
  await expect(catalogue.earnings(nobody)).rejects.toMatchObject({ code: 'catalogue/unavailable' })
  await rebuilt
  await catalogue.caughtUp()
  await catalogue.close()
  expect(await stage.contentAt(db)).toEqual(content)
})

test('replicas of one database all tell what one of them reads, and another takes over', async () => {
  const { anvil, contracts, market, postgres } = stage
  // No card is looked for twice, so that nothing but what is read makes a change.
  const cards = async () => new Uint8Array()
  const open = () => sqlCatalogue({ chain: anvil.url, contracts, cards, db: postgres.url })
  const [first, second] = [await open(), await open()]
  const both = () => Promise.all([first.caughtUp(), second.caughtUp()])
  const lists = fc
    .sample(arbitraryAct, { numRuns: 60, seed: 4 })
    .filter(({ kind }) => kind === 'list')
  const play = async () => {
    for (const act of lists) await perform(market, act)
    await market.mine()
  }
  await both()
  expect(await second.newest()).toBe(await first.newest())
  const changes = [first, second].map(
    (each) => new Promise<void>((resolve) => each.onChange(resolve)),
  )
  await play()
  await Promise.all(changes)
  await both()
  expect(await second.newest()).toBe(await first.newest())
  await first.close()
  await play()
  await second.caughtUp()
  await second.close()
  expect(await contentOf(stage.postgres.url)).toEqual(
    await stage.contentAt(stage.path('alone.sqlite'), { cards }),
  )
})
