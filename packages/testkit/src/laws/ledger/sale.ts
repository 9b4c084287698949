import assert from 'node:assert/strict'
import { wei } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerWorld } from '../../harness.ts'
import type { Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  assertMoved,
  balancesOf,
  castOf,
  mintBy,
  noTerms,
  ownerOf,
  refusesWrite,
} from './fixture.ts'

/** What every ledger keeps when it sells. */
export const saleLaws: readonly Law<LedgerWorld>[] = [
  {
    name: 'sells at the exact price and pays the seller',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryCheapPrice, arbitraryParty, async (price, first) => {
          const [seller, payer, heir] = castOf(world, first)
          const tokenId = await mintBy(seller)
          await seller.ledger.list({ ...noTerms, tokenId, price })
          const before = await balancesOf(world)
          await payer.ledger.buy({ tokenId, price, recipient: accountOf(heir) })
          const changes = [[seller, price] as const, [payer, -price] as const]
          await assertMoved(world, before, new Map(changes))
          assert.equal(await ownerOf(seller, tokenId), accountOf(heir))
        }),
      ),
  },
  {
    name: 'refuses a purchase of what is not for sale with `listing/not-for-sale`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryCheapPrice, arbitraryParty, async (price, first) => {
          const [owner, buyer] = castOf(world, first)
          const tokenId = await mintBy(owner)
          const buy = () => buyer.ledger.buy({ tokenId, price, recipient: accountOf(buyer) })
          await refusesWrite(world, tokenId, 'listing/not-for-sale', buy)
          const otherWays = { ...noTerms, rentalPricePerDay: price, forkPrice: price }
          await owner.ledger.list({ tokenId, ...otherWays })
          await refusesWrite(world, tokenId, 'listing/not-for-sale', buy)
        }),
      ),
  },
  {
    name: 'refuses a purchase at another price with `listing/price-changed`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryCheapPrice, arbitraryCheapPrice, async (price, change) => {
          const [owner, buyer] = castOf(world)
          const tokenId = await mintBy(owner)
          await owner.ledger.list({ ...noTerms, tokenId, price })
          const below = change <= price ? price - change : 0n
          for (const offered of [price + change, price + 1n, price - 1n, below]) {
            const offer = { tokenId, price: wei(offered), recipient: accountOf(buyer) }
            await refusesWrite(world, tokenId, 'listing/price-changed', () =>
              buyer.ledger.buy(offer),
            )
          }
        }),
      ),
  },
]
