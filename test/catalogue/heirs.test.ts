import { type SqlCatalogue, sqlCatalogue } from '@heirloom/adapters/catalogue'
import { account } from '@heirloom/core'
import { type Abi, getAddress, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { insertRows } from '../../packages/adapters/src/catalogue/catalogue-store.ts'
import { postgresCatalogueStore } from '../../packages/adapters/src/catalogue/postgres-catalogue-store.ts'
import { sqliteCatalogueStore } from '../../packages/adapters/src/catalogue/sqlite-catalogue-store.ts'
import { type MarketHarness, marketHarness } from '../harness/catalogue/market-harness.ts'

let harness: MarketHarness
let catalogues: readonly SqlCatalogue[]
beforeAll(async () => {
  harness = await marketHarness()
  const { contracts, market, path, postgres } = harness
  const open = (db: string | URL) => sqlCatalogue({ chain: market.chain, contracts, db })
  catalogues = await Promise.all([open(path('heirs.sqlite')), open(postgres.url)])
})
afterAll(async () => {
  for (const each of catalogues) await each.close()
  await harness.close()
})

const partyAt = (index: number) => harness.market.parties[index] ?? zeroAddress

async function nameHeir(by: number, heir: number | undefined): Promise<void> {
  const { at, mine, send } = harness.market
  const args = heir === undefined ? [zeroAddress, 0n, 0n] : [partyAt(heir), 30n, 30n]
  const { address: to, abi } = at.registry
  await send(partyAt(by), { to, abi: abi as Abi, functionName: 'nameHeir', args })
  await mine()
}

/** Returns the parties whose heir a party is, as both catalogues have it. */
async function namersOf(heir: number): Promise<readonly number[]> {
  const { parties } = harness.market
  const indexOf = (of: Hex) => parties.findIndex((it) => getAddress(it) === of)
  const read = async (catalogue: SqlCatalogue) => {
    await catalogue.caughtUp()
    const { items } = await catalogue.heirOf(account(getAddress(partyAt(heir))), { limit: 100 })
    return items.map(indexOf)
  }
  const [first = [], second] = await Promise.all(catalogues.map(read))
  expect(second).toEqual(first)
  return first
}

async function reorganise(depth: number): Promise<void> {
  await harness.market.chain.reorganise(depth)
  await harness.market.ask('anvil_mine', '0x1')
}

test('an heir whose naming was undone is none, and the one before is the heir again', async () => {
  await nameHeir(0, 1)
  await nameHeir(2, 1)
  await nameHeir(0, 2)
  await nameHeir(2, undefined)
  expect([await namersOf(1), await namersOf(2)]).toEqual([[], [0]])
  await reorganise(1)
  expect([await namersOf(1), await namersOf(2)]).toEqual([[2], [0]])
  await reorganise(3)
  expect([await namersOf(1), await namersOf(2)]).toEqual([[2, 0], []])
  await nameHeir(0, 1)
  expect(await namersOf(1)).toEqual([0, 2])
})

test('an account that named its heir thousands of times costs a reader no more than a read may', async () => {
  const [namer, heir] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
  const genesis = `0x${'1'.repeat(64)}` as const
  const at = `0x${'2'.repeat(40)}` as const
  const identity = { chainId: 1, genesis, registry: at, marketplace: at }
  const { path, postgres } = harness
  for (const store of [
    await sqliteCatalogueStore(path('many-heirs.sqlite'), identity),
    await postgresCatalogueStore(postgres.url.href, identity),
  ]) {
    onTestFinished(() => store.close())
    const rows = Array.from({ length: 10_000 }, (_, block) => ({
      account: namer,
      block,
      logIndex: 0,
      heir,
    }))
    await insertRows(store, store.db, { table: 'heir', rows })
    const { items } = await store.runQuery('heirs', { heir: account(heir), limit: 10 })
    expect(items.map((it) => it.toLowerCase())).toEqual([namer])
  }
})
