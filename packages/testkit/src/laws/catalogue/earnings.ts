import assert from 'node:assert/strict'
import {
  type Account,
  type Catalogue,
  type Earning,
  type Earnings,
  instant,
  type MarketFigures,
  type TokenId,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { arbitraryCheapPrice, balancesOf, partiesFrom } from '../ledger/fixture.ts'
import { buy, fork, list, mint, rent } from './fixture.ts'

/** The laws of earnings. */
export const earningsLaws: readonly Law<CatalogueHarness>[] = [
  forAll(
    'returns earnings that add up to the prices paid',
    [arbitraryCheapPrice, fc.constantFrom(0, 333, 5000, 10_000), fc.integer({ min: 1, max: 3 })],
    async (harness, price, forkRoyaltyBps, generations) => {
      const [maker, forker, buyer, guest] = partiesFrom(harness)
      const before = await earningsOf(harness)
      const market = await figuresOf(harness.catalogue)
      const terms = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps }
      let id: TokenId = await mint(harness, maker)
      await list(maker, id, terms)
      for (let made = 0; made < generations; made++) {
        id = await fork(forker, id)
        await list(forker, id, terms)
      }
      await rent(guest, id, 2)
      const balances = await balancesOf(harness)
      await buy(buyer, id)
      const gained = (await balancesOf(harness)).map((it, party) => it - (balances[party] ?? 0n))
      await maker.ledger.payRoyalty({ tokenId: id, amount: price })
      const after = await earningsOf(harness)
      const earned = sum(after) - sum(before)
      assert.equal(earned, price * BigInt(generations + 2 + 1 + 1))
      const { rentals, paid } = await figuresOf(harness.catalogue)
      assert.equal(rentals, market.rentals + 1)
      assert.deepEqual(paid, { ...market.paid, native: market.paid.native + earned })
      const [, seller] = after.map(({ sales }, party) => sales - (before[party]?.sales ?? 0n))
      assert.ok((seller ?? 0n) <= (gained[1] ?? 0n), 'a seller gets the sale, or more as a creator')
      assert.equal(
        after.every(({ credit }) => credit === 0n),
        true,
      )
    },
  ),
  forAll(
    'returns each earning of an account, newest first, each once, page by page, which add up to the prices paid',
    [arbitraryCheapPrice, fc.constantFrom(0, 333, 5000), fc.integer({ min: 1, max: 3 })],
    async (harness, price, forkRoyaltyBps, limit) => {
      const [maker, forker, buyer, guest] = partiesFrom(harness)
      const terms = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps }
      const root = await mint(harness, maker)
      await list(maker, root, terms)
      const child = await fork(forker, root)
      await list(forker, child, terms)
      await rent(guest, child, 2)
      await buy(buyer, child)
      await maker.ledger.payRoyalty({ tokenId: child, amount: price })
      await harness.caughtUp()
      let total = 0n
      for (const { ledger } of harness.parties) {
        const all = await readEachEarning(harness.catalogue, ledger.agent, {
          limit,
          since: root,
        })
        assert.equal(new Set(all.map(({ event }) => event)).size, all.length)
        const times = all.map((it) => it.at)
        assert.deepEqual(
          times,
          times.toSorted((one, other) => other - one),
        )
        const own = all.filter(({ tokenId }) => tokenId === root || tokenId === child)
        await assertPaid(harness.catalogue, own)
        total += own.reduce((sum, { amount }) => sum + amount, 0n)
      }
      // A fork, a rental of two days, a sale and a royalty.
      assert.equal(total, price * 5n)
    },
  ),
]

/** Reads each earning of an account page by page, until one is of a token before `since`. */
async function readEachEarning(
  catalogue: Catalogue,
  account: Account,
  { limit, since }: { readonly limit: number; readonly since: TokenId },
) {
  const found: Earning[] = []
  let after: string | undefined
  do {
    const { items, next } = await catalogue.eachEarning(account, { after, limit })
    assert.ok(items.length <= limit)
    found.push(...items)
    after = next
  } while (after !== undefined && found.every(({ tokenId }) => tokenId >= since))
  return found
}

/** Asserts that earnings name events of their tokens, and pay something in wei. */
async function assertPaid({ activity }: Catalogue, all: readonly Earning[]): Promise<void> {
  for (const { event, tokenId, txHash, at, amount, currency } of all) {
    assert.ok(amount > 0n && currency === 'native')
    const { items } = await activity({ tokenId, limit: 100 })
    const found = items.find(({ id }) => id === event)
    assert.deepEqual({ txHash: found?.txHash, at: found?.at }, { txHash, at })
  }
}

async function figuresOf({ facets }: Catalogue): Promise<MarketFigures> {
  const { market } = await facets({ sort: 'listedAt' }, instant(0))
  assert.ok(market !== undefined)
  return market
}

async function earningsOf(harness: CatalogueHarness): Promise<readonly Earnings[]> {
  await harness.caughtUp()
  return Promise.all(harness.parties.map(({ ledger }) => harness.catalogue.earnings(ledger.agent)))
}

const sum = (all: readonly Earnings[]): bigint =>
  all.reduce((total, it) => total + it.sales + it.rentals + it.forks + it.royalties, 0n)
