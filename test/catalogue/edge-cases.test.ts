import { createHash } from 'node:crypto'
import { type CatalogueEvent, type SqlCatalogue, sqlCatalogue } from '@heirloom/adapters/catalogue'
import { account, digest, encodeCard, hash, type TokenId, tokenId } from '@heirloom/core'
import { type Abi, getAddress, type Hex, keccak256, toHex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MarketHarness, marketHarness } from '../harness/catalogue/market-harness.ts'
import { readContent } from '../harness/catalogue/read-content.ts'

let harness: MarketHarness

beforeAll(async () => {
  harness = await marketHarness()
})
afterAll(() => harness.close())

let memories = 0

type MintInput = {
  readonly parent?: bigint
  readonly contentHash?: Hex
  readonly name?: Hex
  readonly card?: Hex
}

/** Mints tokens in one block; returns the id of the first. */
async function mint(inputs: readonly MintInput[]): Promise<bigint> {
  const { at, client, mine, parties, send } = harness.market
  const [recipient = zeroAddress] = parties
  const supply = await client.readContract({ ...at.registry, functionName: 'totalSupply' })
  const items = inputs.map(({ parent = 0n, contentHash, name }) => {
    memories += 1
    const own = contentHash ?? keccak256(toHex(`memory ${memories}`))
    return { recipient, contentHash: own, digest: name ?? keccak256(own), parent }
  })
  const args = [items, inputs.map(({ card }) => card ?? zeroHash)]
  const abi = at.registry.abi as Abi
  await send(recipient, { to: at.registry.address, abi, functionName: 'mintDescribed', args })
  await mine()
  return supply + 1n
}

function open(options: Partial<sqlCatalogue.Options> = {}): Promise<SqlCatalogue> {
  const { anvil, contracts } = harness
  return sqlCatalogue({ chain: anvil.url, contracts, db: ':memory:', ...options })
}

/** Waits for changes of a catalogue until a condition holds. */
async function until(catalogue: SqlCatalogue, holds: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = catalogue.onChange(resolve)
    const isOver = await holds()
    if (!isOver) await promise
    end()
    if (isOver) return
  }
}

test('a token is no copy of another as long as its own seal was not looked for', async () => {
  const contentHash = hash(keccak256(toHex('sealed twice under one salt')))
  const [early, late] = [keccak256(toHex('sealed early')), keccak256(toHex('sealed late'))]
  const mintSealed = async (name: Hex) => tokenId(await mint([{ contentHash, name }]))
  const { at, client, parties } = harness.market
  const registry = { chainId: await client.getChainId(), address: account(at.registry.address) }
  const found = Promise.withResolvers<void>()
  const catalogue = await open({
    seals: async (name) => {
      const isLate = name === late
      if (isLate) await found.promise
      const creator = account(isLate ? (parties[0] ?? zeroAddress) : zeroAddress.replace(/0$/, '7'))
      return { context: { registry, creator }, contentHash, packs: [], isAuthentic: true }
    },
  })
  const originality = async (id: TokenId) => (await catalogue.token(id))?.originality
  const first = await mintSealed(early)
  await until(catalogue, async () => (await originality(first)) === 'copied')
  const second = await mintSealed(late)
  await until(catalogue, async () => (await originality(second)) !== undefined)
  expect(await originality(second)).toBe('unverified')
  found.resolve()
  await until(catalogue, async () => (await originality(second)) === 'original')
  await catalogue.close()
})

test('a card whose block arrives late is shown and found from then on', async () => {
  const contentHash = hash(keccak256(toHex('described late')))
  const block = encodeCard({ card: { title: 'Better late' }, contentHash })
  const card = digest(`0x${createHash('sha256').update(block).digest('hex')}`)
  const blocks = new Map<string, Uint8Array>()
  const id = tokenId(await mint([{ contentHash, card }]))
  const catalogue = await open({ cards: async (name) => blocks.get(name) })
  await catalogue.caughtUp()
  expect((await catalogue.token(id))?.card).toBeUndefined()
  expect((await catalogue.tokens({ search: 'late', limit: 1 })).items).toEqual([])
  blocks.set(card, block)
  await until(catalogue, async () => (await catalogue.token(id))?.card !== undefined)
  const { items } = await catalogue.tokens({ search: 'late', limit: 1 })
  expect(items.map(({ tokenId: found, card: shown }) => [found, shown])).toEqual([
    [id, { title: 'Better late' }],
  ])
  await catalogue.close()
})

test('a reorganisation deeper than `reorgDepth` undoes what it must, and no more', async () => {
  const { contentAt, market, path } = harness
  for (let block = 0; block < 8; block++) await mint([{}])
  const observed: CatalogueEvent[] = []
  const db = path('deep.sqlite')
  const catalogue = await open({ db, reorgDepth: 2, observe: (event) => observed.push(event) })
  await catalogue.caughtUp()
  const last = await catalogue.newestEventId()
  const height = Number(await market.client.getBlockNumber())
  const from = height - 5
  await market.chain.reorganise(6)
  await mint([{}, {}])
  await catalogue.caughtUp()
  expect(observed.filter(({ kind }) => kind === 'reorganised')).toEqual([
    { kind: 'reorganised', from },
  ])
  const after = await catalogue.eventsAfter(last, 1000)
  const { entries } = await catalogue.eventsAfter(undefined, 1000)
  expect(after.reorganisedFrom).toBe(BigInt(from))
  expect(after.entries).toEqual(entries.filter(({ block }) => block >= from))
  await catalogue.close()
  expect(await readContent(db)).toEqual(await contentAt(path('after.sqlite')))
})

test('a reader that missed two reorganisations gets the first block that either undid', async () => {
  const { market } = harness
  for (let block = 0; block < 8; block++) await mint([{}])
  const catalogue = await open({ reorgDepth: 16 })
  await catalogue.caughtUp()
  const { entries: known } = await catalogue.eventsAfter(undefined, 1000)
  for (const depth of [1, 4]) {
    await market.chain.reorganise(depth)
    await mint([{}])
    await catalogue.caughtUp()
  }
  const { entries, reorganisedFrom = 0n } = await catalogue.eventsAfter(known.at(-1)?.id, 1000)
  const canonical = known.filter(({ block }) => block < reorganisedFrom)
  expect([...canonical, ...entries]).toEqual((await catalogue.eventsAfter(undefined, 1000)).entries)
  expect(canonical.length).toBeGreaterThan(0)
  await catalogue.close()
})

test('the earnings of a sale are exact below many generations of licensed forks', async () => {
  const { at, parties, send, mine } = harness.market
  const [ada = zeroAddress, ben = zeroAddress] = parties
  const to = at.marketplace.address
  const deal = async (from: Hex, functionName: string, args: readonly unknown[], value = 0n) => {
    await send(from, { to, abi: at.marketplace.abi as Abi, functionName, args, value })
    await mine()
  }
  const catalogue = await open()
  const earned = async () => {
    await catalogue.caughtUp()
    const all = await Promise.all(
      [ada, ben].map((it) => catalogue.earnings(account(getAddress(it)))),
    )
    return all.reduce((sum, it) => sum + it.sales + it.royalties, 0n)
  }
  let id = await mint([{}])
  for (let generation = 0; generation < 10; generation++) {
    const [owner, forker] = generation % 2 === 0 ? [ada, ben] : [ben, ada]
    await deal(owner, 'list', [id, 0n, 0n, 1000n, 1000n])
    await deal(forker, 'fork', [id, forker, 10_000n], 1000n)
    id += 1n
  }
  await deal(ada, 'list', [id, 1_000_000n, 0n, 0n, 0n])
  const before = await earned()
  await deal(ben, 'buy', [id, ben], 1_000_000n)
  expect((await earned()) - before).toBe(1_000_000n)
  expect((await catalogue.token(tokenId(id)))?.owner).toBe(account(getAddress(ben)))
  await catalogue.close()
})

test('a mint is found by what it was minted with, whatever else its creator seems to have made', async () => {
  const { at, parties, send, mine } = harness.market
  const [ada = zeroAddress, ben = zeroAddress] = parties
  const to = at.marketplace.address
  const contentHash = hash(keccak256(toHex('minted once')))
  const [own, junk] = [digest(keccak256(contentHash)), digest(keccak256(toHex('junk')))]
  const first = await mint([{ contentHash }])
  // As many more with the same content hash as a page of tokens has, and a fork by another account.
  await mint(Array.from({ length: 100 }, () => ({ contentHash, name: junk })))
  for (const [from, functionName, args, value] of [
    [ada, 'list', [first, 0n, 0n, 7n, 0n], 0n],
    [ben, 'fork', [first, ben, 10_000n], 7n],
  ] as const) {
    await send(from, { to, abi: at.marketplace.abi as Abi, functionName, args, value })
    await mine()
  }
  const catalogue = await open()
  await catalogue.caughtUp()
  const find = (creator: Hex, name = own) =>
    catalogue.mintOf({ creator: account(getAddress(creator)), digest: name, contentHash })
  expect(await find(ada)).toBe(first)
  expect(await find(ada, junk)).toBe(first + 1n)
  expect(await find(ben)).toBeUndefined()
  expect(await find(ada, digest(contentHash))).toBeUndefined()
  await catalogue.close()
})

test('a catalogue that becomes corrupt while it runs reports it and is rebuilt', async () => {
  const { contentAt, path, postgres } = harness
  const id = tokenId(await mint([{}]))
  const { promise: rebuilt, resolve } = Promise.withResolvers<void>()
  const observe = ({ kind }: CatalogueEvent) => (kind === 'rebuilt' ? resolve() : undefined)
  const catalogue = await open({ db: postgres.url, observe })
  await catalogue.caughtUp()
  const [schema] = await postgres.run(
    `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'heirloom_catalogue_%'`,
  )
  await postgres.run(`DROP TABLE ${schema}.event`)
  // The index may notice it first: a catalogue that is built anew knows no token yet.
  const answer = await catalogue.history(id, { limit: 1 }).catch((error: unknown) => error)
  if (answer !== undefined) expect(answer).toMatchObject({ code: 'catalogue/unavailable' })
  await rebuilt
  await catalogue.caughtUp()
  await catalogue.close()
  expect(await readContent(postgres.url)).toEqual(await contentAt(path('sound.sqlite')))
})

test('a lineage is cut at 64 ancestors and 500 descendants, and marked as cut', async () => {
  const eldest = await mint([{}])
  for (let id = eldest; id < eldest + 65n; id += 13n) {
    await mint(Array.from({ length: 13 }, (_, index) => ({ parent: id + BigInt(index) })))
  }
  const parent = await mint([{}])
  for (let count = 0; count < 500; count += 50) {
    await mint(Array.from({ length: 50 }, () => ({ parent })))
  }
  const catalogue = await open()
  await catalogue.caughtUp()
  const lineageOf = async (id: bigint, after?: bigint) => {
    const part = after === undefined ? {} : { after: tokenId(after) }
    const lineage = await catalogue.lineage(tokenId(id), part)
    const idsOf = (kind: 'ancestors' | 'descendants') =>
      lineage?.[kind].map(({ token }) => BigInt(token.tokenId))
    return { up: idsOf('ancestors'), down: idsOf('descendants'), isCut: lineage?.isCut }
  }
  const up = Array.from({ length: 64 }, (_, index) => eldest + 63n - BigInt(index))
  expect(await lineageOf(eldest + 64n)).toEqual({ up, down: [eldest + 65n], isCut: false })
  const shifted = up.map((id) => id + 1n)
  expect(await lineageOf(eldest + 65n)).toEqual({ up: shifted, down: [], isCut: true })
  const down = Array.from({ length: 500 }, (_, index) => parent + 1n + BigInt(index))
  expect(await lineageOf(parent)).toEqual({ up: [], down, isCut: false })
  // The newest of all, although its parent is the oldest descendant.
  await mint([{ parent: parent + 1n }])
  await catalogue.caughtUp()
  expect(await lineageOf(parent)).toEqual({ up: [], down, isCut: true })
  const last = parent + 500n
  const rest = { up: [], down: [parent + 501n], isCut: false }
  expect(await lineageOf(parent, last)).toEqual(rest)
  await catalogue.close()
})

test('a page has 1 to 100 items', async () => {
  const id = tokenId(await mint(Array.from({ length: 50 }, () => ({}))))
  await mint(Array.from({ length: 51 }, () => ({})))
  const catalogue = await open()
  await catalogue.caughtUp()
  const order = { sort: 'tokenId', descending: false } as const
  const malformed = { code: 'request/malformed', facts: { where: 'limit' } }
  for (const limit of [0, 101, 1.5, -1, Number.NaN]) {
    await expect(catalogue.tokens({ limit })).rejects.toMatchObject(malformed)
    await expect(catalogue.listings({ ...order, limit })).rejects.toMatchObject(malformed)
    await expect(catalogue.history(id, { limit })).rejects.toMatchObject(malformed)
  }
  const { items, next } = await catalogue.tokens({ limit: 100 })
  expect(items.length).toBe(100)
  expect((await catalogue.tokens({ limit: 1, after: next })).items.length).toBe(1)
  await catalogue.close()
})
