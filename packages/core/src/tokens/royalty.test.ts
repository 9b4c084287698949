import { arbitraryAccount, arbitraryBps, arbitraryWei } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenId, wei } from '../values/decimal.ts'
import { account } from '../values/hex.ts'
import {
  type Claim,
  claimsOn,
  forkRoyalty,
  type LineageMember,
  maxClaims,
  maxLineageDepth,
  royaltyPayment,
  royaltyShare,
  splitPrice,
} from './royalty.ts'

type Fork = { readonly creator: Claim['creator']; readonly listedBps: number }

const [ada, ben, cleo] = ['a', 'b', 'c'].map((digit) => account(`0x${digit.repeat(40)}`)) as [
  Claim['creator'],
  Claim['creator'],
  Claim['creator'],
]
const arbitraryFork = fc.record({ creator: arbitraryAccount, listedBps: arbitraryBps })
const arbitraryForks = fc.array(arbitraryFork, { maxLength: 12 })

const root = (creator: Claim['creator']): readonly LineageMember[] => [
  { tokenId: tokenId(1n), creator, royaltyBps: undefined },
]

/** Returns a lineage with one more fork of its first token. */
function forkOf(
  line: readonly LineageMember[],
  { creator, listedBps }: Fork,
): readonly LineageMember[] {
  const { effectiveRoyaltyBps: royaltyBps } = forkRoyalty(line, listedBps)
  return [{ tokenId: tokenId(BigInt(line.length + 1)), creator, royaltyBps }, ...line]
}

/** Returns the lineage of successive forks of a root that Ada created. */
const lineOf = (forks: readonly Fork[]) => forks.reduce(forkOf, root(ada))

/** Returns the shares of the claims on the last of successive forks. */
const sharesAfter = (...listed: readonly number[]) =>
  claimsOn(lineOf(listed.map((listedBps) => ({ creator: ben, listedBps })))).map(
    ({ royaltyBps }) => royaltyBps,
  )

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const totalOf = (claims: readonly Claim[]) =>
  claims.reduce((total, { royaltyBps }) => total + royaltyBps, 0)

describe('claimsOn', () => {
  test('returns none for a root, and none for a token with a declared parent', () => {
    expect(claimsOn(root(ada))).toEqual([])
    const declared = { tokenId: tokenId(2n), creator: ben, royaltyBps: undefined }
    expect(claimsOn([declared, ...root(ada)])).toEqual([])
  })

  test('returns the claim that each fork added for the creator of its parent, oldest first', () => {
    const line = lineOf([
      { creator: ben, listedBps: 1000 },
      { creator: cleo, listedBps: 0 },
      { creator: ben, listedBps: 2500 },
    ])
    expect(claimsOn(line)).toEqual([
      { tokenId: 1n, creator: ada, royaltyBps: 1000 },
      { tokenId: 3n, creator: cleo, royaltyBps: 2500 },
    ])
  })

  test('ends at a snapshot with a declared parent', () => {
    const snapshot = { tokenId: tokenId(9n), creator: cleo, royaltyBps: undefined }
    const above = lineOf([{ creator: ben, listedBps: 1000 }])
    const line = forkOf([snapshot, ...above], { creator: ada, listedBps: 300 })
    expect(claimsOn(line)).toEqual([{ tokenId: 9n, creator: cleo, royaltyBps: 300 }])
  })

  test('preserves the claims on the parent, and adds at most one', () =>
    fc.assert(
      fc.property(arbitraryForks, arbitraryFork, (forks, fork) => {
        const line = lineOf(forks)
        const [before, after] = [claimsOn(line), claimsOn(forkOf(line, fork))]
        expect(after.slice(0, before.length)).toEqual(before)
        expect(after.length).toBeLessThanOrEqual(before.length + 1)
      }),
    ))

  test('has at most 8 claims above 0 and a total of at most the price', () =>
    fc.assert(
      fc.property(arbitraryForks, (forks) => {
        const claims = claimsOn(lineOf(forks))
        expect(totalOf(claims)).toBeLessThanOrEqual(10_000)
        expect(claims.length).toBeLessThanOrEqual(maxClaims)
        expect(claims.every(({ royaltyBps }) => royaltyBps > 0)).toBe(true)
      }),
    ))

  test('has only the eight oldest of nine claims', () => {
    const listed = [1, 2, 3, 4, 5, 6, 7, 8]
    expect(sharesAfter(...listed)).toEqual(listed)
    expect(sharesAfter(...listed, 9)).toEqual(listed)
    expect(sharesAfter(0, 0, ...listed, 0, 9)).toEqual(listed)
  })

  test('caps a claim at the rest of the price', () => {
    expect(sharesAfter(6000, 6000, 6000)).toEqual([6000, 4000])
    expect(sharesAfter(10_000, 1)).toEqual([10_000])
  })
})

describe('forkRoyalty', () => {
  test('agrees with the claims on the fork', () =>
    fc.assert(
      fc.property(arbitraryForks, arbitraryFork, (forks, fork) => {
        const line = lineOf(forks)
        const { effectiveRoyaltyBps, totalRoyaltyBps } = forkRoyalty(line, fork.listedBps)
        expect(effectiveRoyaltyBps).toBeLessThanOrEqual(fork.listedBps)
        const claims = claimsOn(forkOf(line, fork))
        expect(totalOf(claims)).toBe(totalRoyaltyBps)
        expect(totalOf(claims) - totalOf(claimsOn(line))).toBe(effectiveRoyaltyBps)
      }),
    ))

  test('allows as many forks in a lineage as its depth limit, counted from the last snapshot', () => {
    const free = { creator: ben, listedBps: 0 }
    const line = lineOf(Array.from({ length: maxLineageDepth - 1 }, () => free))
    expect(forkRoyalty(line, 0).canBeForked).toBe(true)
    const full = forkOf(line, free)
    expect(forkRoyalty(full, 0).canBeForked).toBe(false)
    const snapshot = { tokenId: tokenId(99n), creator: ben, royaltyBps: undefined }
    expect(forkRoyalty([snapshot, ...full], 0).canBeForked).toBe(true)
  })
})

describe('splitPrice', () => {
  test('pays the whole price to the seller of a root', () => {
    expect(splitPrice(wei(1000n), [])).toEqual({ royalties: [], rest: 1000n })
  })

  test('pays each claim its share of the whole price', () => {
    const line = lineOf([
      { creator: ben, listedBps: 1000 },
      { creator: cleo, listedBps: 5000 },
      { creator: ben, listedBps: 2000 },
    ])
    expect(splitPrice(wei(10_001n), claimsOn(line))).toEqual({
      royalties: [
        { to: ada, amount: 1000n, tokenId: 1n },
        { to: ben, amount: 5000n, tokenId: 2n },
        { to: cleo, amount: 2000n, tokenId: 3n },
      ],
      rest: 2001n,
    })
  })

  test('rounds each share down in favour of the seller', () => {
    const claims = claimsOn(lineOf([{ creator: ben, listedBps: 9999 }]))
    expect(splitPrice(wei(1n), claims)).toEqual({ royalties: [], rest: 1n })
    expect(splitPrice(wei(19_999n), claims).rest).toBe(2n)
  })

  test('preserves the total amount', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryForks, (price, forks) => {
        const { royalties, rest } = splitPrice(price, claimsOn(lineOf(forks)))
        expect(sum(royalties.map(({ amount }) => amount)) + rest).toBe(price)
        expect(royalties.every(({ amount }) => amount > 0n)).toBe(true)
      }),
    ))

  test('never pays an ancestor less after a further fork', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryForks, arbitraryFork, (price, forks, fork) => {
        const line = lineOf(forks)
        const above = splitPrice(price, claimsOn(line)).royalties
        const below = splitPrice(price, claimsOn(forkOf(line, fork))).royalties
        expect(below.slice(0, above.length)).toEqual(above)
      }),
    ))

  test('pays the same after a fork of an own fork at 0 basis points', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryForks, arbitraryAccount, (price, forks, creator) => {
        const line = lineOf(forks)
        const own = forkOf(line, { creator, listedBps: 0 })
        expect(splitPrice(price, claimsOn(own))).toEqual(splitPrice(price, claimsOn(line)))
      }),
    ))

  test('pays the seller the free share, and less than 1 wei more for each claim', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryForks, (price, forks) => {
        const claims = claimsOn(lineOf(forks))
        const free = price * BigInt(10_000 - totalOf(claims))
        const more = splitPrice(price, claims).rest * 10_000n - free
        expect(more >= 0n && more <= 9999n * BigInt(claims.length)).toBe(true)
      }),
    ))
})

describe('royaltyShare', () => {
  test('accepts whole basis points up to 100 % and refuses others with `royalty/bad-share`', () => {
    for (const bps of [0, 1, 10_000]) expect(royaltyShare(bps)).toBe(bps)
    for (const bps of [-1, 10_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => royaltyShare(bps)).toThrow(
        expect.objectContaining({
          code: 'royalty/bad-share',
          facts: { royaltyBps: bps, limit: 10_000 },
        }),
      )
    }
  })
})

describe('royaltyPayment', () => {
  test('refuses 0 with `royalty/zero`', () => {
    expect(royaltyPayment(wei(1n))).toBe(1n)
    expect(() => royaltyPayment(wei(0n))).toThrow(expect.objectContaining({ code: 'royalty/zero' }))
  })
})
