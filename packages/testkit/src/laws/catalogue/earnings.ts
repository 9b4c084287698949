import assert from 'node:assert/strict'
import type { Earnings, TokenId } from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness } from '../../harness.ts'
import type { Law } from '../law.ts'
import { arbitraryCheapPrice, balancesOf, partiesFrom } from '../ledger/fixture.ts'
import { buy, fork, list, mint, rent } from './fixture.ts'

/** The laws of earnings. */
export const earningsLaws: readonly Law<CatalogueHarness>[] = [
  {
    name: 'returns earnings that add up to the prices paid',
    holds: (harness) =>
      fc.assert(
        fc.asyncProperty(
          arbitraryCheapPrice,
          fc.constantFrom(0, 333, 5000, 10_000),
          fc.integer({ min: 1, max: 3 }),
          async (price, forkRoyaltyBps, generations) => {
            const [maker, forker, buyer, guest] = partiesFrom(harness)
            const before = await earningsOf(harness)
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
            const gained = (await balancesOf(harness)).map(
              (it, party) => it - (balances[party] ?? 0n),
            )
            await maker.ledger.payRoyalty({ tokenId: id, amount: price })
            const after = await earningsOf(harness)
            const earned = sum(after) - sum(before)
            assert.equal(earned, price * BigInt(generations + 2 + 1 + 1))
            const [, seller] = after.map(({ sales }, party) => sales - (before[party]?.sales ?? 0n))
            assert.ok(
              (seller ?? 0n) <= (gained[1] ?? 0n),
              'a seller gets the sale, or more as a creator',
            )
            assert.equal(
              after.every(({ credit }) => credit === 0n),
              true,
            )
          },
        ),
      ),
  },
]

async function earningsOf(harness: CatalogueHarness): Promise<readonly Earnings[]> {
  await harness.caughtUp()
  return Promise.all(harness.parties.map(({ ledger }) => harness.catalogue.earnings(ledger.agent)))
}

const sum = (all: readonly Earnings[]): bigint =>
  all.reduce((total, it) => total + it.sales + it.rentals + it.forks + it.royalties, 0n)
