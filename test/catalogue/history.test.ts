import { type SqlCatalogue, sqlCatalogue } from '@heirloom/adapters/catalogue'
import { type CataloguedToken, type HistoryEntry, instant, nobody, tokenId } from '@heirloom/core'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Act, arbitraryAct, type Market, perform } from '../harness/catalogue/acts.ts'
import { contentOf } from '../harness/catalogue/read-content.ts'
import { type CatalogueStage, catalogueStage } from '../harness/catalogue/market-harness.ts'

/** `CATALOGUE_EVENTS` asks for a longer history, which `FC_SEED` chooses. */
const wanted = Number(process.env.CATALOGUE_EVENTS ?? 400)
const seed = Number(process.env.FC_SEED ?? 6)
const timeout = wanted > 400 ? 3_600_000 : 180_000

let stage: CatalogueStage

beforeAll(async () => {
  stage = await catalogueStage({ blocks: 60, logs: 100 })
})
afterAll(() => stage.close())

/** Somebody who is told what happens, and honours what is taken back. */
type Listener = { readonly told: HistoryEntry[]; readonly ids: Set<string>; takenBack: number }

async function listen(listener: Listener, catalogue: SqlCatalogue): Promise<void> {
  const { told } = listener
  while (hear(listener, await catalogue.happened(told.at(-1)?.id, 50)));
}

/** Takes in what happened, each event once; tells whether there was anything. */
function hear(
  listener: Listener,
  { entries, undoneFrom }: Awaited<ReturnType<SqlCatalogue['happened']>>,
): boolean {
  const { told, ids } = listener
  if (undoneFrom !== undefined) {
    listener.takenBack += 1
    while ((told.at(-1)?.block ?? -1n) >= undoneFrom) ids.delete(told.pop()?.id ?? '')
  }
  for (const entry of entries) {
    if (ids.has(entry.id)) throw new Error(`${entry.id} was told twice.`)
    ids.add(entry.id)
    told.push(entry)
  }
  return entries.length > 0
}

// Who has heard of nothing new has nothing taken back; the others miss several reorganisations at once.
const isHeard = ({ kind, numbers }: Act) => kind === 'reorganise' && numbers[1] % 4 > 0

test('a catalogue of a random history is the one made from nothing', { timeout }, async () => {
  const { contracts, market, postgres } = stage
  const { chain } = market
  const cards = async (name: string) => market.blocks.get(name)
  const open = (db: string | URL) => sqlCatalogue({ chain, contracts, cards, db, reorgDepth: 16 })
  const path = stage.path('catalogue.sqlite')
  let catalogue = await open(path)
  const shared = await open(postgres.url)
  const listener: Listener = { told: [], ids: new Set(), takenBack: 0 }
  const played: Record<string, number> = {}
  const others: { readonly [kind: string]: () => Promise<unknown> } = {
    restart: async () => {
      await catalogue.close()
      catalogue = await open(path)
    },
    read: async () => {
      await market.mine()
      await catalogue.caughtUp()
      await listen(listener, catalogue)
    },
  }
  for (const act of fc.sample(arbitraryAct, { numRuns: wanted * 4, seed })) {
    played[act.kind] = (played[act.kind] ?? 0) + 1
    if (isHeard(act)) await others.read?.()
    await (others[act.kind]?.() ?? perform(market, act))
    if (listener.told.length >= wanted) break
  }
  await market.mine()
  await catalogue.caughtUp()
  await shared.caughtUp()
  await listen(listener, catalogue)
  expect(listener.told).toEqual(await everything(catalogue))
  expect(listener.takenBack).toBeGreaterThan(Number(played.reorganise) / 3)
  await assertViews(market, catalogue)
  await assertEarnings(market, catalogue, listener.told)

  const fresh = stage.path('fresh.sqlite')
  const rebuilt = await open(fresh)
  await rebuilt.caughtUp()
  for (const each of [catalogue, shared, rebuilt]) await each.close()
  const content = await contentOf(path)
  expect(content).toEqual(await contentOf(fresh))
  expect(content).toEqual(await contentOf(postgres.url))
  expect(chain.refused()).toBeGreaterThan(0)
  const { takenBack } = listener
  const report = { events: listener.told.length, takenBack, refused: chain.refused(), ...played }
  process.stdout.write(`${JSON.stringify(report)}\n`)
})

async function everything(catalogue: SqlCatalogue): Promise<readonly HistoryEntry[]> {
  const all: HistoryEntry[] = []
  for (;;) {
    const { entries } = await catalogue.happened(all.at(-1)?.id, 1000)
    if (entries.length === 0) return all
    all.push(...entries)
  }
}

/** Compares what is told of each token with what the contracts say. */
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
    expect(token && recordIn(token)).toEqual(record.slice(0, 7))
    expect(token && listingIn(token)).toEqual(listing)
    const rentals = await catalogue.rentals(tokenId(id), instant(0), 100)
    const toldTo = (party: Hex) =>
      rentals.find(({ renter }) => renter.toLowerCase() === party.toLowerCase())
    const told = parties.map((party) => BigInt(toldTo(party)?.expiresAt ?? 0) / 1000n)
    expect(told).toEqual(expiries)
  }
  expect(await catalogue.token(tokenId(supply + 1n))).toBeUndefined()
}

function recordIn(token: CataloguedToken): readonly unknown[] {
  const { creator, mintedAt, parent = 0n, royaltyBps, contentHash, digest, owner } = token
  const licence = royaltyBps === undefined ? 0n : BigInt(royaltyBps) + 1n
  return [creator, BigInt(mintedAt) / 1000n, parent, licence, contentHash, digest, owner]
}

function listingIn({ listedAt, owner, terms, ...token }: CataloguedToken): readonly unknown[] {
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  const seller = listedAt === undefined ? nobody : owner
  const { effectiveRoyaltyBps, totalRoyaltyBps, canBeForked } = token
  const shares = [forkRoyaltyBps, effectiveRoyaltyBps, totalRoyaltyBps].map(BigInt)
  return [seller, price, rentalPricePerDay, forkPrice, ...shares, canBeForked]
}

/** Checks that what all have earned is what all have paid, and what waits is what the contract owes. */
async function assertEarnings(
  { at, client, parties }: Market,
  catalogue: SqlCatalogue,
  events: readonly HistoryEntry[],
) {
  let earned = 0n
  for (const party of parties) {
    const { credit, ...earnings } = await catalogue.earnings(party as never)
    earned += Object.values(earnings).reduce((sum, amount) => sum + amount, 0n)
    const asked = { ...at.marketplace, functionName: 'creditOf', args: [party] } as const
    expect(credit).toBe(await client.readContract(asked))
  }
  const deals = new Set(
    events.filter(({ kind }) => /sale|rental|fork/.test(kind)).map((it) => it.txHash),
  )
  const paid = events.reduce((sum, event) => {
    if (event.kind === 'sale' || event.kind === 'fork') return sum + event.price
    if (event.kind === 'rental') return sum + event.paid
    return event.kind === 'royalty' && !deals.has(event.txHash) ? sum + event.amount : sum
  }, 0n)
  expect(earned).toBe(paid)
}
