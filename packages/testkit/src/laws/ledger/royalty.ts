import assert from 'node:assert/strict'
import { maxClaims, maxLineageDepth, type TokenId, type Wei, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { LedgerHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  assertMoved,
  balancesOf,
  forkOnce,
  forkPrice,
  mintBy,
  noTerms,
  partiesFrom,
  refusesWrite,
  requireKnown,
} from './fixture.ts'

/** A share small enough that four of them leave something to the seller. */
const arbitraryShare = fc.integer({ min: 1, max: 2499 })
const arbitraryShares = fc.array(arbitraryShare, { minLength: 1, maxLength: 3 })

/** A lineage of forks: its last token, and the creators of its tokens, the root's creator first. */
type Line = { readonly last: TokenId; readonly creators: readonly Party[] }

/** The laws of royalties. */
export const royaltyLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'returns the total royalty that a fork would owe',
    [arbitraryShares, arbitraryShare],
    async (harness, shares, forkRoyaltyBps) => {
      const { last, creators } = await lineOf(harness, shares)
      const owner = creators.at(-1) ?? partiesFrom(harness)[0]
      const owed = shares.reduce((total, share) => total + share, 0)
      assert.deepEqual(await owedBy(owner, last), [0, owed, true])
      await owner.ledger.list({ ...noTerms, tokenId: last, forkPrice, forkRoyaltyBps })
      const total = owed + forkRoyaltyBps
      assert.deepEqual(await owedBy(owner, last), [forkRoyaltyBps, total, true])
      const child = await forkOnce(owner, owner, { tokenId: last, forkRoyaltyBps })
      assert.deepEqual(await owedBy(owner, child), [0, total, true])
    },
  ),
  forAll(
    'splits the price of a licensed fork among the claims on it',
    [arbitraryShares, arbitraryCheapPrice],
    async (harness, shares, price) => {
      const { last, creators } = await lineOf(harness, shares)
      const seller = creators.at(-1) ?? partiesFrom(harness)[0]
      const buyer = partiesFrom(harness, creators.length % 4)[0]
      const prices = { price, rentalPricePerDay: price, forkPrice: price, forkRoyaltyBps: 1 }
      await seller.ledger.list({ tokenId: last, ...prices })
      const offer = { tokenId: last, price, recipient: accountOf(buyer) }
      for (const pay of [
        () => buyer.ledger.rent({ ...offer, days: 1 }),
        () => buyer.ledger.fork({ ...offer, maxRoyaltyBps: 10_000 }),
        () => buyer.ledger.buy(offer),
      ]) {
        const before = await balancesOf(harness)
        await pay()
        await assertMoved(harness, before, partsOf({ creators, shares, price, buyer }))
      }
    },
  ),
  forAll(
    "never reduces an ancestor's claim by a fork",
    [arbitraryShare, fc.constantFrom(0, 1, 5000), arbitraryCheapPrice],
    async (harness, share, own, price) => {
      const [ada, ben] = partiesFrom(harness)
      const parent = await forkOnce(ada, ben, {
        tokenId: await mintBy(ada),
        forkRoyaltyBps: share,
      })
      const child = await forkOnce(ben, ben, { tokenId: parent, forkRoyaltyBps: own })
      const grandchild = await forkOnce(ben, ben, { tokenId: child, forkRoyaltyBps: 0 })
      for (const tokenId of [parent, child, grandchild]) {
        const paid = await paidBySale(harness, { tokenId, price, seller: ben, to: ada })
        assert.equal(paid, (price * BigInt(share)) / 10_000n)
      }
    },
  ),
  forAll(
    'caps the claims on a token at its whole price',
    [fc.integer({ min: 1, max: 10_000 }), fc.nat({ max: 9_999 }), arbitraryCheapPrice],
    async (harness, first, more, price) => {
      const second = 10_000 - (more % first)
      const { last, creators } = await lineOf(harness, [first, second])
      const [seller, buyer] = [creators[2], partiesFrom(harness, 3)[0]]
      assert.ok(seller)
      await seller.ledger.list({ ...noTerms, tokenId: last, price })
      const before = await balancesOf(harness)
      await buyer.ledger.buy({ tokenId: last, price, recipient: accountOf(buyer) })
      const shares = [first, 10_000 - first]
      await assertMoved(harness, before, partsOf({ creators, shares, price, buyer }))
    },
  ),
  {
    name: 'keeps only the eight oldest claims',
    holds: async (harness) => {
      const shares = [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]
      const { last, creators } = await lineOf(harness, shares)
      const [seller, buyer, price] = [
        creators.at(-1),
        partiesFrom(harness, 3)[0],
        wei(10n ** 12n + 7n),
      ]
      assert.ok(seller)
      await seller.ledger.list({ ...noTerms, tokenId: last, price })
      const before = await balancesOf(harness)
      await buyer.ledger.buy({ tokenId: last, price, recipient: accountOf(buyer) })
      const oldest = shares.slice(0, maxClaims)
      await assertMoved(harness, before, partsOf({ creators, shares: oldest, price, buyer }))
    },
  },
  {
    name: 'refuses to fork a token at the depth limit of its lineage with `lineage/too-deep`',
    holds: async (harness) => {
      const [owner, forker] = partiesFrom(harness)
      const line = await lineOf(
        harness,
        Array.from({ length: maxLineageDepth - 1 }, () => 0),
      )
      const lister = line.creators.at(-1) ?? owner
      assert.deepEqual(await owedBy(owner, line.last), [0, 0, true])
      const tokenId = await forkOnce(lister, owner, { tokenId: line.last, forkRoyaltyBps: 0 })
      assert.deepEqual(await owedBy(owner, tokenId), [0, 0, false])
      await owner.ledger.list({ ...noTerms, tokenId, forkPrice })
      const offer = { tokenId, price: forkPrice, maxRoyaltyBps: 10_000 }
      await refusesWrite(harness, tokenId, 'lineage/too-deep', () =>
        forker.ledger.fork({ ...offer, recipient: accountOf(forker) }),
      )
    },
  },
]

/**
 * Forks once for each share, each time by the next party. Changes the listed share after each
 * fork, because the frozen share of the fork must not change with it.
 */
async function lineOf(harness: LedgerHarness, shares: readonly number[]): Promise<Line> {
  const [founder] = partiesFrom(harness)
  const creators = [founder]
  let last = await mintBy(founder)
  for (const forkRoyaltyBps of shares) {
    const owner = creators.at(-1) ?? founder
    const forker = partiesFrom(harness, creators.length % 4)[0]
    const parent = last
    last = await forkOnce(owner, forker, { tokenId: parent, forkRoyaltyBps })
    await owner.ledger.list({ ...noTerms, tokenId: parent, forkPrice, forkRoyaltyBps: 1234 })
    creators.push(forker)
  }
  return { last, creators }
}

/** Returns the effective royalty, the total royalty and `canBeForked` of a token's listing. */
async function owedBy({ ledger }: Party, tokenId: TokenId): Promise<readonly unknown[]> {
  const shown = await requireKnown(ledger.listing(tokenId))
  return [shown.effectiveRoyaltyBps, shown.totalRoyaltyBps, shown.canBeForked]
}

type Paid = Pick<Line, 'creators'> & {
  readonly shares: readonly number[]
  readonly price: Wei
  readonly buyer: Party
}

/** Returns the changes of balances by a payment for the last token of a lineage. */
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

/** Sells a token to the last party and returns the amount that `to` received. */
async function paidBySale(harness: LedgerHarness, { tokenId, price, seller, to }: Sale) {
  const buyer = partiesFrom(harness, 3)[0]
  await seller.ledger.list({ ...noTerms, tokenId, price })
  const before = await to.balance()
  await buyer.ledger.buy({ tokenId, price, recipient: accountOf(buyer) })
  return (await to.balance()) - before
}
