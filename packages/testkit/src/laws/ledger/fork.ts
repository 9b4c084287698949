import assert from 'node:assert/strict'
import { wholeBps } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerWorld } from '../../harness.ts'
import type { Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryContent,
  arbitraryParty,
  assertMoved,
  balancesOf,
  castOf,
  forkOnce,
  forkPrice,
  known,
  mintBy,
  noTerms,
  ownerOf,
  refusesWrite,
} from './fixture.ts'

/** What every ledger keeps when it forks. */
export const forkLaws: readonly Law<LedgerWorld>[] = [
  {
    name: 'forks with the content of the parent and the payer as creator',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryContent, arbitraryCheapPrice, async (content, price) => {
          const [owner, payer, heir] = castOf(world)
          const recipient = accountOf(owner)
          const { tokenId } = await owner.ledger.mint({ ...content, parent: undefined, recipient })
          await owner.ledger.list({ ...noTerms, tokenId, forkPrice: price })
          const before = await balancesOf(world)
          const offer = { tokenId, price, maxRoyaltyBps: 0, recipient: accountOf(heir) }
          const child = (await payer.ledger.fork(offer)).tokenId
          const record = await known(heir.ledger.provenance(child))
          const { mintedAt: _, ...origin } = record
          const creator = accountOf(payer)
          assert.deepEqual(origin, { tokenId: child, ...content, parent: tokenId, creator })
          assert.equal(await ownerOf(payer, child), accountOf(heir))
          assert.equal(await ownerOf(payer, tokenId), accountOf(owner))
          const changes = [[owner, price] as const, [payer, -price] as const]
          await assertMoved(world, before, new Map(changes))
        }),
      ),
  },
  {
    name: 'refuses a fork of what is not for fork with `listing/not-for-fork`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryCheapPrice, arbitraryParty, async (price, first) => {
          const [owner, forker] = castOf(world, first)
          const tokenId = await mintBy(owner)
          const offer = { tokenId, price, maxRoyaltyBps: wholeBps, recipient: accountOf(forker) }
          const fork = () => forker.ledger.fork(offer)
          await refusesWrite(world, tokenId, 'listing/not-for-fork', fork)
          await owner.ledger.list({ ...noTerms, tokenId, price, rentalPricePerDay: price })
          await refusesWrite(world, tokenId, 'listing/not-for-fork', fork)
        }),
      ),
  },
  {
    name: 'refuses a fork above the accepted total with `listing/royalty-changed`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: wholeBps / 2 }),
          fc.integer({ min: 0, max: wholeBps / 2 }),
          fc.nat(),
          async (first, second, less) => {
            const [owner, other, forker] = castOf(world)
            const root = await mintBy(owner)
            const tokenId = await forkOnce(owner, other, { tokenId: root, forkRoyaltyBps: first })
            const offer = { price: forkPrice, recipient: accountOf(forker) }
            for (const [lister, id, total] of [
              [owner, root, first] as const,
              [other, tokenId, first + second] as const,
            ]) {
              const forkRoyaltyBps = id === root ? first : second
              await lister.ledger.list({ ...noTerms, tokenId: id, forkPrice, forkRoyaltyBps })
              for (const maxRoyaltyBps of [total - 1, less % total]) {
                await refusesWrite(world, id, 'listing/royalty-changed', () =>
                  forker.ledger.fork({ ...offer, tokenId: id, maxRoyaltyBps }),
                )
              }
              await forker.ledger.fork({ ...offer, tokenId: id, maxRoyaltyBps: total })
            }
          },
        ),
      ),
  },
]
