import assert from 'node:assert/strict'
import { type TokenId, type Wei, wei, wholeBps } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBps } from '../../arbitraries/money.ts'
import type { LedgerWorld, Party } from '../../world.ts'
import type { Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryContent,
  arbitraryParty,
  assertMoved,
  balancesOf,
  castOf,
  known,
  mintBy,
  noTerms,
  ownerOf,
  refusesWrite,
} from './scene.ts'

const arbitraryGenerations = fc.array(arbitraryBps, { minLength: 0, maxLength: 3 })
const forkPrice = wei(1001n)

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
    name: 'refuses a fork above the accepted royalty with `listing/royalty-changed`',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: wholeBps }),
          fc.nat(),
          async (forkRoyaltyBps, less) => {
            const [owner, forker] = castOf(world)
            const tokenId = await mintBy(owner)
            await owner.ledger.list({ ...noTerms, tokenId, forkPrice, forkRoyaltyBps })
            const offer = { tokenId, price: forkPrice, recipient: accountOf(forker) }
            for (const maxRoyaltyBps of [forkRoyaltyBps - 1, less % forkRoyaltyBps]) {
              await refusesWrite(world, tokenId, 'listing/royalty-changed', () =>
                forker.ledger.fork({ ...offer, maxRoyaltyBps }),
              )
            }
          },
        ),
      ),
  },
  {
    name: 'splits the price of a licensed fork among the creators above it',
    holds: async (world) => {
      await splitsAmong(world, tenGenerations, wei(10n ** 12n + 7n))
      await fc.assert(
        fc.asyncProperty(arbitraryGenerations, arbitraryCheapPrice, (generations, price) =>
          splitsAmong(world, generations, price),
        ),
      )
    },
  },
]

/** Deeper than royalties reach, so that it shows where they end. */
const tenGenerations = [9000, 9100, 9200, 9300, 9400, 9500, 9600, 9700, 9800, 9900]
const royaltyReach = 8

/**
 * Forks once for each royalty, each generation by the next party, then sells the last fork. On
 * the way the royalties of the listings change, because what was frozen at a fork must not.
 */
async function splitsAmong(
  world: LedgerWorld,
  royalties: readonly number[],
  price: Wei,
): Promise<void> {
  const creators = [...royalties, 0].map((_, index) => castOf(world, index % 4)[0])
  const last = await lineage(creators, royalties)
  const seller = creators.at(-1) ?? castOf(world)[0]
  const [buyer] = castOf(world, creators.length % 4)
  await seller.ledger.list({ ...noTerms, tokenId: last, price })
  const before = await balancesOf(world)
  await buyer.ledger.buy({ tokenId: last, price, recipient: accountOf(buyer) })
  const changes = sharesOf(price, creators.toReversed(), royalties.toReversed())
  changes.set(buyer, (changes.get(buyer) ?? 0n) - price)
  await assertMoved(world, before, changes)
}

async function lineage(creators: readonly Party[], royalties: readonly number[]): Promise<TokenId> {
  const [founder, ...forkers] = creators
  assert.ok(founder)
  let [owner, tokenId] = [founder, await mintBy(founder)]
  for (const [generation, forker] of forkers.entries()) {
    const forkRoyaltyBps = royalties[generation] ?? 0
    await owner.ledger.list({ ...noTerms, tokenId, forkPrice, forkRoyaltyBps })
    const offer = { tokenId, price: forkPrice, maxRoyaltyBps: forkRoyaltyBps }
    const child = await forker.ledger.fork({ ...offer, recipient: accountOf(forker) })
    await owner.ledger.list({ ...noTerms, tokenId, forkPrice, forkRoyaltyBps: 1234 })
    ;[owner, tokenId] = [forker, child.tokenId]
  }
  return tokenId
}

/** What each party receives; both lists begin at the token that is sold. */
function sharesOf(
  price: bigint,
  creators: readonly Party[],
  royalties: readonly number[],
): Map<Party, bigint> {
  const shares = new Map<Party, bigint>()
  let due = price
  for (const [generation, creator] of creators.slice(0, royaltyReach + 1).entries()) {
    const bps = generation < royaltyReach ? (royalties[generation] ?? 0) : 0
    const passedUp = (due * BigInt(bps)) / BigInt(wholeBps)
    shares.set(creator, (shares.get(creator) ?? 0n) + due - passedUp)
    due = passedUp
  }
  return shares
}
