import assert from 'node:assert/strict'
import { deepestLineage, mostClaims, type TokenId, type Wei, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerWorld, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  assertMoved,
  balancesOf,
  castOf,
  forkOnce,
  forkPrice,
  known,
  mintBy,
  noTerms,
  refusesWrite,
} from './fixture.ts'

/** A share of which four leave something to the seller. */
const arbitraryShare = fc.integer({ min: 1, max: 2499 })
const arbitraryShares = fc.array(arbitraryShare, { minLength: 1, maxLength: 3 })

/** A line of forks: its last token, and who created each of its tokens, the root's creator first. */
type Line = { readonly last: TokenId; readonly creators: readonly Party[] }

/** What every ledger keeps of royalties. */
export const royaltyLaws: readonly Law<LedgerWorld>[] = [
  {
    name: 'shows what a fork would owe in all',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryShares, arbitraryShare, async (shares, forkRoyaltyBps) => {
          const { last, creators } = await lineOf(world, shares)
          const owner = creators.at(-1) ?? castOf(world)[0]
          const owed = shares.reduce((total, share) => total + share, 0)
          assert.deepEqual(await owedBy(owner, last), [0, owed, true])
          await owner.ledger.list({ ...noTerms, tokenId: last, forkPrice, forkRoyaltyBps })
          const total = owed + forkRoyaltyBps
          assert.deepEqual(await owedBy(owner, last), [forkRoyaltyBps, total, true])
          const child = await forkOnce(owner, owner, { tokenId: last, forkRoyaltyBps })
          assert.deepEqual(await owedBy(owner, child), [0, total, true])
        }),
      ),
  },
  {
    name: 'splits the price of a licensed fork among the claims on it',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryShares, arbitraryCheapPrice, async (shares, price) => {
          const { last, creators } = await lineOf(world, shares)
          const seller = creators.at(-1) ?? castOf(world)[0]
          const buyer = castOf(world, creators.length % 4)[0]
          const prices = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 1 }
          await seller.ledger.list({ tokenId: last, ...prices })
          const offer = { tokenId: last, price, recipient: accountOf(buyer) }
          for (const pay of [
            () => buyer.ledger.rent({ ...offer, days: 1 }),
            () => buyer.ledger.fork({ ...offer, maxRoyaltyBps: 10_000 }),
            () => buyer.ledger.buy(offer),
          ]) {
            const before = await balancesOf(world)
            await pay()
            await assertMoved(world, before, partsOf({ creators, shares, price, buyer }))
          }
        }),
      ),
  },
  {
    name: "never shrinks an ancestor's claim by a fork",
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          arbitraryShare,
          fc.constantFrom(0, 1, 5000),
          arbitraryCheapPrice,
          async (share, own, price) => {
            const [ada, ben] = castOf(world)
            const parent = await forkOnce(ada, ben, {
              tokenId: await mintBy(ada),
              forkRoyaltyBps: share,
            })
            const child = await forkOnce(ben, ben, { tokenId: parent, forkRoyaltyBps: own })
            const grandchild = await forkOnce(ben, ben, { tokenId: child, forkRoyaltyBps: 0 })
            for (const tokenId of [parent, child, grandchild]) {
              const paid = await paidBySale(world, { tokenId, price, seller: ben, to: ada })
              assert.equal(paid, (price * BigInt(share)) / 10_000n)
            }
          },
        ),
      ),
  },
  {
    name: 'caps the claims on a token at its whole price',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 10_000 }),
          fc.nat({ max: 9_999 }),
          arbitraryCheapPrice,
          async (first, more, price) => {
            const second = 10_000 - (more % first)
            const { last, creators } = await lineOf(world, [first, second])
            const [seller, buyer] = [creators[2], castOf(world, 3)[0]]
            assert.ok(seller)
            await seller.ledger.list({ ...noTerms, tokenId: last, price })
            const before = await balancesOf(world)
            await buyer.ledger.buy({ tokenId: last, price, recipient: accountOf(buyer) })
            const shares = [first, 10_000 - first]
            await assertMoved(world, before, partsOf({ creators, shares, price, buyer }))
          },
        ),
      ),
  },
  {
    name: 'keeps the eight oldest claims',
    holds: async (world) => {
      const shares = [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]
      const { last, creators } = await lineOf(world, shares)
      const [seller, buyer, price] = [creators.at(-1), castOf(world, 3)[0], wei(10n ** 12n + 7n)]
      assert.ok(seller)
      await seller.ledger.list({ ...noTerms, tokenId: last, price })
      const before = await balancesOf(world)
      await buyer.ledger.buy({ tokenId: last, price, recipient: accountOf(buyer) })
      const kept = shares.slice(0, mostClaims)
      await assertMoved(world, before, partsOf({ creators, shares: kept, price, buyer }))
    },
  },
  {
    name: 'refuses a fork of a chain of 64 with `lineage/too-deep`',
    holds: async (world) => {
      const [owner, forker] = castOf(world)
      const line = await lineOf(
        world,
        Array.from({ length: deepestLineage - 1 }, () => 0),
      )
      const lister = line.creators.at(-1) ?? owner
      assert.deepEqual(await owedBy(owner, line.last), [0, 0, true])
      const tokenId = await forkOnce(lister, owner, { tokenId: line.last, forkRoyaltyBps: 0 })
      assert.deepEqual(await owedBy(owner, tokenId), [0, 0, false])
      await owner.ledger.list({ ...noTerms, tokenId, forkPrice })
      const offer = { tokenId, price: forkPrice, maxRoyaltyBps: 10_000 }
      await refusesWrite(world, tokenId, 'lineage/too-deep', () =>
        forker.ledger.fork({ ...offer, recipient: accountOf(forker) }),
      )
    },
  },
]

/**
 * Forks once for each share, each time by the next party. On the way the shares of the listings
 * change, because what was frozen at a fork must not.
 */
async function lineOf(world: LedgerWorld, shares: readonly number[]): Promise<Line> {
  const [founder] = castOf(world)
  const creators = [founder]
  let last = await mintBy(founder)
  for (const forkRoyaltyBps of shares) {
    const owner = creators.at(-1) ?? founder
    const forker = castOf(world, creators.length % 4)[0]
    const parent = last
    last = await forkOnce(owner, forker, { tokenId: parent, forkRoyaltyBps })
    await owner.ledger.list({ ...noTerms, tokenId: parent, forkPrice, forkRoyaltyBps: 1234 })
    creators.push(forker)
  }
  return { last, creators }
}

/** Returns what the listing of a token says of a fork: the share it adds, its total, if it can be. */
async function owedBy({ ledger }: Party, tokenId: TokenId): Promise<readonly unknown[]> {
  const shown = await known(ledger.listing(tokenId))
  return [shown.effectiveRoyaltyBps, shown.totalRoyaltyBps, shown.canBeForked]
}

type Paid = Pick<Line, 'creators'> & {
  readonly shares: readonly number[]
  readonly price: Wei
  readonly buyer: Party
}

/** Returns what a payment for the last token of a line moves: a share to each creator above it. */
function partsOf({ creators, shares, price, buyer }: Paid): Map<Party, bigint> {
  const moved = new Map<Party, bigint>()
  const move = (party: Party | undefined, amount: bigint) =>
    party && moved.set(party, (moved.get(party) ?? 0n) + amount)
  let rest: bigint = price
  for (const [index, share] of shares.entries()) {
    const part = (price * BigInt(share)) / 10_000n
    move(creators[index], part)
    rest -= part
  }
  move(creators.at(-1), rest)
  move(buyer, -price)
  return moved
}

type Sale = {
  readonly tokenId: TokenId
  readonly price: Wei
  readonly seller: Party
  readonly to: Party
}

/** Sells a token to the last party and returns what another was paid by it. */
async function paidBySale(world: LedgerWorld, { tokenId, price, seller, to }: Sale) {
  const buyer = castOf(world, 3)[0]
  await seller.ledger.list({ ...noTerms, tokenId, price })
  const before = await to.balance()
  await buyer.ledger.buy({ tokenId, price, recipient: accountOf(buyer) })
  return (await to.balance()) - before
}
