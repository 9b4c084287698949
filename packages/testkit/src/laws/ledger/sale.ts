import assert from 'node:assert/strict'
import { wei } from '@heirloom/core'
import type { LedgerHarness } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  assertMoved,
  balancesOf,
  mintBy,
  noTerms,
  ownerOf,
  partiesFrom,
  refusesWrite,
} from './fixture.ts'

/** The laws of sales. */
export const saleLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'sells at the exact price and pays the seller',
    [arbitraryCheapPrice, arbitraryParty],
    async (harness, price, first) => {
      const [seller, payer, receiver] = partiesFrom(harness, first)
      const tokenId = await mintBy(seller)
      await seller.ledger.list({ ...noTerms, tokenId, price })
      const before = await balancesOf(harness)
      await payer.ledger.buy({ tokenId, price, recipient: accountOf(receiver) })
      const changes = [[seller, price] as const, [payer, -price] as const]
      await assertMoved(harness, before, new Map(changes))
      assert.equal(await ownerOf(seller, tokenId), accountOf(receiver))
    },
  ),
  forAll(
    'refuses to sell a token that is not for sale with `listing/not-for-sale`',
    [arbitraryCheapPrice, arbitraryParty],
    async (harness, price, first) => {
      const [owner, buyer] = partiesFrom(harness, first)
      const tokenId = await mintBy(owner)
      const buy = () => buyer.ledger.buy({ tokenId, price, recipient: accountOf(buyer) })
      await refusesWrite(harness, tokenId, 'listing/not-for-sale', buy)
      const otherWays = { ...noTerms, rentalPricePerDay: price, forkPrice: price }
      await owner.ledger.list({ tokenId, ...otherWays })
      await refusesWrite(harness, tokenId, 'listing/not-for-sale', buy)
    },
  ),
  forAll(
    'refuses to sell at another price with `listing/price-changed`',
    [arbitraryCheapPrice, arbitraryCheapPrice],
    async (harness, price, change) => {
      const [owner, buyer] = partiesFrom(harness)
      const tokenId = await mintBy(owner)
      await owner.ledger.list({ ...noTerms, tokenId, price })
      const below = change <= price ? price - change : 0n
      for (const offered of [price + change, price + 1n, price - 1n, below]) {
        const offer = { tokenId, price: wei(offered), recipient: accountOf(buyer) }
        await refusesWrite(harness, tokenId, 'listing/price-changed', () => buyer.ledger.buy(offer))
      }
    },
  ),
]
