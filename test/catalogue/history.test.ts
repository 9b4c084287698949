import { type SqlCatalogue, sqlCatalogue } from '@heirloom/adapters/catalogue'
import {
  account,
  type CataloguedToken,
  type HistoryEntry,
  instant,
  nobody,
  tokenId,
} from '@heirloom/core'
import fc from 'fast-check'
import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Market, type MarketAct, marketAct, perform } from '../harness/catalogue/acts.ts'
import { type MarketHarness, marketHarness } from '../harness/catalogue/market-harness.ts'
import { readContent } from '../harness/catalogue/read-content.ts'
import { times } from '../tier.ts'

/** `CATALOGUE_EVENTS` sets the length of the history, and `FC_SEED` its seed. */
const eventCount = Number(process.env.CATALOGUE_EVENTS ?? times(250, 400))
const seed = Number(process.env.FC_SEED ?? 6)

let harness: MarketHarness

beforeAll(async () => {
  harness = await marketHarness({ blocks: 60, logs: 100 })
})
afterAll(() => harness.close())

/** A reader of events that drops undone ones. */
type Subscriber = {
  readonly events: HistoryEntry[]
  readonly ids: Set<string>
  reorganisations: number
}

async function readOn(subscriber: Subscriber, catalogue: SqlCatalogue): Promise<void> {
  const { events } = subscriber
  while (receive(subscriber, await catalogue.eventsAfter(events.at(-1)?.id, 50)));
}

/** Adds new events, each once; returns whether there were any. */
function receive(
  subscriber: Subscriber,
  { entries, reorganisedFrom }: Awaited<ReturnType<SqlCatalogue['eventsAfter']>>,
): boolean {
  const { events, ids } = subscriber
  if (reorganisedFrom !== undefined) {
    subscriber.reorganisations += 1
    while ((events.at(-1)?.block ?? -1n) >= reorganisedFrom) ids.delete(events.pop()?.id ?? '')
  }
  for (const entry of entries) {
    if (ids.has(entry.id)) throw new Error(`${entry.id} was received twice.`)
    ids.add(entry.id)
    events.push(entry)
  }
  return entries.length > 0
}

// Only a subscriber that knows the newest events sees them undone. Without a read before each
// reorganisation it would meet several at once.
const isReadFirst = ({ kind, numbers }: MarketAct) => kind === 'reorganise' && numbers[1] % 4 > 0

test('a catalogue with a random history equals one rebuilt from the chain', async () => {
  const { contracts, market, postgres } = harness
  const { chain } = market
  const cards = async (name: string) => market.blocks.get(name)
  const open = (db: string | URL) => sqlCatalogue({ chain, contracts, cards, db, reorgDepth: 16 })
  const path = harness.path('catalogue.sqlite')
  let catalogue = await open(path)
  const shared = await open(postgres.url)
  const subscriber: Subscriber = { events: [], ids: new Set(), reorganisations: 0 }
  const counts: Record<string, number> = {}
  const catalogueActs: { readonly [kind: string]: () => Promise<unknown> } = {
    restart: async () => {
      await catalogue.close()
      catalogue = await open(path)
    },
    read: async () => {
      await market.mine()
      await catalogue.caughtUp()
      await readOn(subscriber, catalogue)
    },
  }
  for (const act of fc.sample(marketAct, { numRuns: eventCount * 4, seed })) {
    counts[act.kind] = (counts[act.kind] ?? 0) + 1
    if (isReadFirst(act)) await catalogueActs.read?.()
    await (catalogueActs[act.kind]?.() ?? perform(market, act))
    if (subscriber.events.length >= eventCount) break
  }
  await market.mine()
  await catalogue.caughtUp()
  await shared.caughtUp()
  await readOn(subscriber, catalogue)
  expect(subscriber.events).toEqual(await allEvents(catalogue))
  expect(subscriber.reorganisations).toBeGreaterThan(Number(counts.reorganise) / 3)
  await assertViews(market, catalogue)
  await assertEarnings(market, catalogue, subscriber.events)
  await assertHeirs(market, catalogue, subscriber.events)

  const fresh = harness.path('fresh.sqlite')
  const rebuilt = await open(fresh)
  await rebuilt.caughtUp()
  for (const each of [catalogue, shared, rebuilt]) await each.close()
  const content = await readContent(path)
  expect(content).toEqual(await readContent(fresh))
  expect(content).toEqual(await readContent(postgres.url))
  expect(chain.refused()).toBeGreaterThan(0)
  const { reorganisations } = subscriber
  const report = {
    events: subscriber.events.length,
    reorganisations,
    refused: chain.refused(),
    ...counts,
  }
  process.stdout.write(`${JSON.stringify(report)}\n`)
})

async function allEvents(catalogue: SqlCatalogue): Promise<readonly HistoryEntry[]> {
  const all: HistoryEntry[] = []
  for (;;) {
    const { entries } = await catalogue.eventsAfter(all.at(-1)?.id, 1000)
    if (entries.length === 0) return all
    all.push(...entries)
  }
}

/** Compares each token of the catalogue with the views of the contracts. */
async function assertViews({ at, client, parties }: Market, catalogue: SqlCatalogue) {
  const supply = await client.readContract({ ...at.registry, functionName: 'totalSupply' })
  for (let id = 1n; id <= supply; id++) {
    const args = [id] as const
    const [record, listing, ...expiries] = await Promise.all([
      client.readContract({ ...at.registry, functionName: 'recordOf', args }),
      client.readContract({ ...at.marketplace, functionName: 'listingOf', args }),
      ...parties.map((party) =>
        client.readContract({ ...at.marketplace, functionName: 'rentalExpiry', args: [id, party] }),
      ),
    ])
    const token = await catalogue.token(tokenId(id))
    expect(token && recordOf(token)).toEqual(record.slice(0, 7))
    expect(token && listingOf(token)).toEqual(listing)
    const rentals = await catalogue.rentals(tokenId(id), instant(0), 100)
    const rentalOf = (party: Hex) =>
      rentals.find(({ renter }) => renter.toLowerCase() === party.toLowerCase())
    const shown = parties.map((party) => BigInt(rentalOf(party)?.expiresAt ?? 0) / 1000n)
    expect(shown).toEqual(expiries)
  }
  expect(await catalogue.token(tokenId(supply + 1n))).toBeUndefined()
}

/** Compares whose heir each account is with the views of the contracts. */
async function assertHeirs(
  { at, client, parties }: Market,
  catalogue: SqlCatalogue,
  events: readonly HistoryEntry[],
) {
  const heirs = await Promise.all(
    parties.map(async (party) => {
      const call = { ...at.registry, functionName: 'heirOf', args: [party] } as const
      return (await client.readContract(call))[0]
    }),
  )
  for (const heir of parties) {
    const { items } = await catalogue.heirOf(account(getAddress(heir)), { limit: 100 })
    const expected = parties.filter((_, index) => heirs[index] === getAddress(heir))
    expect(items.toSorted()).toEqual(expected.map((it) => getAddress(it)).toSorted())
  }
  const kinds = new Set(events.map(({ kind }) => kind))
  for (const kind of ['heir-named', 'heartbeat', 'takeover-announced', 'takeover'] as const) {
    expect(kinds).toContain(kind)
  }
}

function recordOf(token: CataloguedToken): readonly unknown[] {
  const { creator, mintedAt, parent = 0n, royaltyBps, contentHash, digest, owner } = token
  const licence = royaltyBps === undefined ? 0n : BigInt(royaltyBps) + 1n
  return [creator, BigInt(mintedAt) / 1000n, parent, licence, contentHash, digest, owner]
}

function listingOf({ listedAt, owner, terms, ...token }: CataloguedToken): readonly unknown[] {
  const { forkRoyaltyBps } = terms
  const { price, rentalPricePerDay, forkPrice } = terms.dollars ?? terms
  const seller = listedAt === undefined ? nobody : owner
  const { effectiveRoyaltyBps, totalRoyaltyBps, canBeForked } = token
  const shares = [forkRoyaltyBps, effectiveRoyaltyBps, totalRoyaltyBps].map(BigInt)
  const asset = terms.dollars?.asset ?? nobody
  return [seller, price, rentalPricePerDay, forkPrice, ...shares, canBeForked, asset]
}

/** Checks that all earnings add up to all payments, and that each credit is that of the contract. */
async function assertEarnings(
  { at, client, parties }: Market,
  catalogue: SqlCatalogue,
  events: readonly HistoryEntry[],
) {
  let [earned, earnedDollars] = [0n, 0n]
  const sumOf = (amounts: object) =>
    Object.values(amounts).reduce((sum: bigint, amount: bigint) => sum + amount, 0n)
  for (const party of parties) {
    const { credit, dollars, ...earnings } = await catalogue.earnings(party as never)
    const { credit: dollarCredit, ...inDollars } = dollars
    earned += sumOf(earnings)
    earnedDollars += sumOf(inDollars)
    const call = { ...at.marketplace, args: [party] } as const
    const [owed, owedDollars] = await Promise.all([
      client.readContract({ ...call, functionName: 'creditOf' }),
      client.readContract({ ...call, functionName: 'dollarCreditOf' }),
    ])
    expect([credit, dollarCredit]).toEqual([owed, owedDollars])
  }
  const deals = new Set(
    events.filter(({ kind }) => /^(sale|rental|fork)$/.test(kind)).map((it) => it.txHash),
  )
  const paid = events.reduce((sum, event) => {
    if (event.kind === 'sale' || event.kind === 'fork') return sum + event.price
    if (event.kind === 'rental') return sum + event.paid
    return event.kind === 'royalty' && !deals.has(event.txHash) ? sum + event.amount : sum
  }, 0n)
  expect(earned).toBe(paid)
  expect(earnedDollars).toBe(dollarsPaid(events))
  expect(earnedDollars).toBeGreaterThan(0n)
}

/** Returns the dollars of all acts; the royalties of a deal are a part of its price. */
function dollarsPaid(events: readonly HistoryEntry[]): bigint {
  const ofDeal = /^dollar-(sale|rental|fork)$/
  const deals = new Set(events.filter(({ kind }) => ofDeal.test(kind)).map((it) => it.txHash))
  return events.reduce((sum, event) => {
    if (event.kind === 'dollar-sale' || event.kind === 'dollar-fork') return sum + event.price
    if (event.kind === 'dollar-rental') return sum + event.paid
    return event.kind === 'dollar-royalty' && !deals.has(event.txHash) ? sum + event.amount : sum
  }, 0n)
}
