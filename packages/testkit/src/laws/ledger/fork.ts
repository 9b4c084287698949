import assert from 'node:assert/strict'
import { wholeBps } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerHarness } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryContent,
  arbitraryParty,
  assertMoved,
  balancesOf,
  forkOnce,
  forkPrice,
  mintBy,
  noTerms,
  ownerOf,
  partiesFrom,
  refusesWrite,
  requireKnown,
} from './fixture.ts'

/** The laws of forks. */
export const forkLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'forks with the content of the parent and the payer as creator',
    [arbitraryContent, arbitraryCheapPrice],
    async (harness, content, price) => {
      const [owner, payer, receiver] = partiesFrom(harness)
      const recipient = accountOf(owner)
      const { tokenId } = await owner.ledger.mint({ ...content, parent: undefined, recipient })
      await owner.ledger.list({ ...noTerms, tokenId, forkPrice: price })
      const before = await balancesOf(harness)
      const offer = { tokenId, price, maxRoyaltyBps: 0, recipient: accountOf(receiver) }
      const child = (await payer.ledger.fork(offer)).tokenId
      const record = await requireKnown(receiver.ledger.provenance(child))
      const { mintedAt: _, ...origin } = record
      const creator = accountOf(payer)
      assert.deepEqual(origin, { tokenId: child, ...content, parent: tokenId, creator })
      assert.equal(await ownerOf(payer, child), accountOf(receiver))
      assert.equal(await ownerOf(payer, tokenId), accountOf(owner))
      const changes = [[owner, price] as const, [payer, -price] as const]
      await assertMoved(harness, before, new Map(changes))
    },
  ),
  forAll(
    'refuses to fork a token that is not for fork with `listing/not-for-fork`',
    [arbitraryCheapPrice, arbitraryParty],
    async (harness, price, first) => {
      const [owner, forker] = partiesFrom(harness, first)
      const tokenId = await mintBy(owner)
      const offer = { tokenId, price, maxRoyaltyBps: wholeBps, recipient: accountOf(forker) }
      const fork = () => forker.ledger.fork(offer)
      await refusesWrite(harness, tokenId, 'listing/not-for-fork', fork)
      await owner.ledger.list({ ...noTerms, tokenId, price, rentalPricePerDay: price })
      await refusesWrite(harness, tokenId, 'listing/not-for-fork', fork)
    },
  ),
  forAll(
    'refuses a fork whose royalties exceed the accepted total with `listing/royalty-changed`',
    [
      fc.integer({ min: 1, max: wholeBps / 2 }),
      fc.integer({ min: 0, max: wholeBps / 2 }),
      fc.nat(),
    ],
    async (harness, first, second, less) => {
      const [owner, other, forker] = partiesFrom(harness)
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
          await refusesWrite(harness, id, 'listing/royalty-changed', () =>
            forker.ledger.fork({ ...offer, tokenId: id, maxRoyaltyBps }),
          )
        }
        await forker.ledger.fork({ ...offer, tokenId: id, maxRoyaltyBps: total })
      }
    },
  ),
]
