import assert from 'node:assert/strict'
import { highestPrice, isFailure, type TokenId, wei } from '@heirloom/core'
import type { LedgerHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryContent,
  arbitraryParty,
  assertMoved,
  balancesOf,
  mintBy,
  noTerms,
  ownerOf,
  partiesFrom,
  refusesWrite,
} from './fixture.ts'

/**
 * The failures of the losing buyer: the listing has ended, or the chain reverted the transaction.
 */
const loserCodes = ['listing/not-for-sale', 'transaction/reverted']

/** The laws of payments. */
export const paymentLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'pays a royalty to the creator of the token',
    [arbitraryContent, arbitraryCheapPrice],
    async (harness, content, amount) => {
      const [creator, payer, owner] = partiesFrom(harness)
      const gift = { ...content, parent: undefined, recipient: accountOf(owner) }
      const { tokenId } = await creator.ledger.mint(gift)
      const before = await balancesOf(harness)
      await payer.ledger.payRoyalty({ tokenId, amount })
      const changes = [[creator, amount] as const, [payer, -amount] as const]
      await assertMoved(harness, before, new Map(changes))
    },
  ),
  forAll(
    'refuses a write that the wallet cannot pay with `wallet/short`',
    [arbitraryContent, arbitraryCheapPrice],
    async (harness, content, price) => {
      const [owner, rich] = partiesFrom(harness)
      const tokenId = await mintBy(owner)
      const { ledger } = harness.pauper
      const recipient = ledger.agent
      const offers = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 0 }
      await owner.ledger.list({ tokenId, ...offers })
      for (const write of [
        () => ledger.mint({ ...content, parent: undefined, recipient }),
        () => ledger.buy({ tokenId, price, recipient }),
        () => ledger.rent({ tokenId, days: 1, price, recipient }),
        () => ledger.fork({ tokenId, price, maxRoyaltyBps: 0, recipient }),
        () => ledger.payRoyalty({ tokenId, amount: price }),
      ]) {
        await refusesWrite(harness, tokenId, 'wallet/short', write)
      }
      await owner.ledger.list({ ...noTerms, tokenId, price: highestPrice })
      await refusesWrite(harness, tokenId, 'wallet/short', () =>
        rich.ledger.buy({ tokenId, price: highestPrice, recipient: accountOf(rich) }),
      )
    },
  ),
  forAll(
    'lets one of two racing buyers win',
    [arbitraryCheapPrice, arbitraryParty],
    async (harness, price, first) => {
      const [seller, ...racers] = partiesFrom(harness, first)
      const rivals = racers.slice(0, 2)
      const tokenId = await mintBy(seller)
      await seller.ledger.list({ ...noTerms, tokenId, price })
      const before = await balancesOf(harness)
      const results = await Promise.allSettled(rivals.map((rival) => buy(rival, tokenId, price)))
      const winners = rivals.filter((_, index) => results[index]?.status === 'fulfilled')
      assert.equal(winners.length, 1)
      for (const result of results) assertWonOrLost(result)
      const changes = winners.map((winner) => [winner, -price] as const)
      await assertMoved(harness, before, new Map([[seller, price as bigint], ...changes]))
      assert.deepEqual([await ownerOf(seller, tokenId)], winners.map(accountOf))
    },
  ),
]

function buy({ ledger }: Party, tokenId: TokenId, price: bigint): Promise<unknown> {
  return ledger.buy({ tokenId, price: wei(price), recipient: ledger.agent })
}

function assertWonOrLost(result: PromiseSettledResult<unknown>): void {
  if (result.status === 'fulfilled') return
  const { reason } = result
  assert.ok(isFailure(reason), String(reason))
  assert.ok(loserCodes.includes(reason.code), reason.code)
}
