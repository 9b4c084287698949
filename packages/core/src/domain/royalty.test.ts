import { arbitraryAccount, arbitraryBps, arbitraryWei } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { account } from './account.ts'
import { wei } from './money.ts'
import {
  type Claim,
  claimsOn,
  deepestLineage,
  forkRoyalty,
  type Licensed,
  mostClaims,
  royaltyPayment,
  royaltyShare,
  splitPrice,
} from './royalty.ts'
import { tokenId } from './token.ts'

type Fork = { readonly creator: Claim['creator']; readonly asked: number }

const [ada, ben, cleo] = ['a', 'b', 'c'].map((digit) => account(`0x${digit.repeat(40)}`)) as [
  Claim['creator'],
  Claim['creator'],
  Claim['creator'],
]
const arbitraryFork = fc.record({ creator: arbitraryAccount, asked: arbitraryBps })
const arbitraryForks = fc.array(arbitraryFork, { maxLength: 12 })

const root = (creator: Claim['creator']): readonly Licensed[] => [
  { tokenId: tokenId(1n), creator, royaltyBps: undefined },
]

/** Returns a line with one more fork, of what its first token asks. */
function forked(line: readonly Licensed[], { creator, asked }: Fork): readonly Licensed[] {
  const { effectiveRoyaltyBps: royaltyBps } = forkRoyalty(line, asked)
  return [{ tokenId: tokenId(BigInt(line.length + 1)), creator, royaltyBps }, ...line]
}

/** Returns the line that some forks of a root of Ada's make. */
const lineOf = (forks: readonly Fork[]) => forks.reduce(forked, root(ada))

/** Returns the shares of the claims on the last of some forks. */
const sharesAfter = (...asked: readonly number[]) =>
  claimsOn(lineOf(asked.map((bps) => ({ creator: ben, asked: bps })))).map(
    ({ royaltyBps }) => royaltyBps,
  )

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const together = (claims: readonly Claim[]) =>
  claims.reduce((total, { royaltyBps }) => total + royaltyBps, 0)

describe('claimsOn', () => {
  test('returns none of a root, or of a token that only names its parent', () => {
    expect(claimsOn(root(ada))).toEqual([])
    const declared = { tokenId: tokenId(2n), creator: ben, royaltyBps: undefined }
    expect(claimsOn([declared, ...root(ada)])).toEqual([])
  })

  test('returns what each fork added for the creator of its parent, oldest first', () => {
    const line = lineOf([
      { creator: ben, asked: 1000 },
      { creator: cleo, asked: 0 },
      { creator: ben, asked: 2500 },
    ])
    expect(claimsOn(line)).toEqual([
      { tokenId: 1n, creator: ada, royaltyBps: 1000 },
      { tokenId: 3n, creator: cleo, royaltyBps: 2500 },
    ])
  })

  test('ends at a snapshot that only names its parent', () => {
    const snapshot = { tokenId: tokenId(9n), creator: cleo, royaltyBps: undefined }
    const above = lineOf([{ creator: ben, asked: 1000 }])
    const line = forked([snapshot, ...above], { creator: ada, asked: 300 })
    expect(claimsOn(line)).toEqual([{ tokenId: 9n, creator: cleo, royaltyBps: 300 }])
  })

  test('keeps all that the parent owed, and adds at most one', () =>
    fc.assert(
      fc.property(arbitraryForks, arbitraryFork, (forks, fork) => {
        const line = lineOf(forks)
        const [before, after] = [claimsOn(line), claimsOn(forked(line, fork))]
        expect(after.slice(0, before.length)).toEqual(before)
        expect(after.length).toBeLessThanOrEqual(before.length + 1)
      }),
    ))

  test('never takes more than the whole price, by 8 claims above 0', () =>
    fc.assert(
      fc.property(arbitraryForks, (forks) => {
        const claims = claimsOn(lineOf(forks))
        expect(together(claims)).toBeLessThanOrEqual(10_000)
        expect(claims.length).toBeLessThanOrEqual(mostClaims)
        expect(claims.every(({ royaltyBps }) => royaltyBps > 0)).toBe(true)
      }),
    ))

  test('keeps the eight oldest of nine', () => {
    const asked = [1, 2, 3, 4, 5, 6, 7, 8]
    expect(sharesAfter(...asked)).toEqual(asked)
    expect(sharesAfter(...asked, 9)).toEqual(asked)
    expect(sharesAfter(0, 0, ...asked, 0, 9)).toEqual(asked)
  })

  test('caps a claim at what is left of the price', () => {
    expect(sharesAfter(6000, 6000, 6000)).toEqual([6000, 4000])
    expect(sharesAfter(10_000, 1)).toEqual([10_000])
  })
})

describe('forkRoyalty', () => {
  test('is what stands on the fork once it is made', () =>
    fc.assert(
      fc.property(arbitraryForks, arbitraryFork, (forks, fork) => {
        const line = lineOf(forks)
        const { effectiveRoyaltyBps, totalRoyaltyBps } = forkRoyalty(line, fork.asked)
        expect(effectiveRoyaltyBps).toBeLessThanOrEqual(fork.asked)
        const claims = claimsOn(forked(line, fork))
        expect(together(claims)).toBe(totalRoyaltyBps)
        expect(together(claims) - together(claimsOn(line))).toBe(effectiveRoyaltyBps)
      }),
    ))

  test('allows 64 forks in a line, and counts none above a snapshot', () => {
    const free = { creator: ben, asked: 0 }
    const line = lineOf(Array.from({ length: deepestLineage - 1 }, () => free))
    expect(forkRoyalty(line, 0).canBeForked).toBe(true)
    const full = forked(line, free)
    expect(forkRoyalty(full, 0).canBeForked).toBe(false)
    const snapshot = { tokenId: tokenId(99n), creator: ben, royaltyBps: undefined }
    expect(forkRoyalty([snapshot, ...full], 0).canBeForked).toBe(true)
  })
})

describe('splitPrice', () => {
  test('leaves everything to the seller of a root', () => {
    expect(splitPrice(wei(1000n), [])).toEqual({ royalties: [], rest: 1000n })
  })

  test('pays each claim its share of the price itself', () => {
    const line = lineOf([
      { creator: ben, asked: 1000 },
      { creator: cleo, asked: 5000 },
      { creator: ben, asked: 2000 },
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

  test('rounds each share down, for the good of who sells', () => {
    const claims = claimsOn(lineOf([{ creator: ben, asked: 9999 }]))
    expect(splitPrice(wei(1n), claims)).toEqual({ royalties: [], rest: 1n })
    expect(splitPrice(wei(19_999n), claims).rest).toBe(2n)
  })

  test('neither makes nor loses money', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryForks, (price, forks) => {
        const { royalties, rest } = splitPrice(price, claimsOn(lineOf(forks)))
        expect(sum(royalties.map(({ amount }) => amount)) + rest).toBe(price)
        expect(royalties.every(({ amount }) => amount > 0n)).toBe(true)
      }),
    ))

  test('never pays an ancestor less because of a fork further down', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryForks, arbitraryFork, (price, forks, fork) => {
        const line = lineOf(forks)
        const above = splitPrice(price, claimsOn(line)).royalties
        const below = splitPrice(price, claimsOn(forked(line, fork))).royalties
        expect(below.slice(0, above.length)).toEqual(above)
      }),
    ))

  test('pays the same whether or not a forker forks its own fork at 0 basis points', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryForks, arbitraryAccount, (price, forks, creator) => {
        const line = lineOf(forks)
        const own = forked(line, { creator, asked: 0 })
        expect(splitPrice(price, claimsOn(own))).toEqual(splitPrice(price, claimsOn(line)))
      }),
    ))

  test('leaves the seller the free share, and less than 1 wei more for each claim', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryForks, (price, forks) => {
        const claims = claimsOn(lineOf(forks))
        const free = price * BigInt(10_000 - together(claims))
        const more = splitPrice(price, claims).rest * 10_000n - free
        expect(more >= 0n && more <= 9999n * BigInt(claims.length)).toBe(true)
      }),
    ))
})

describe('royaltyShare', () => {
  test('is a whole number of basis points, or `royalty/bad-share`', () => {
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
  test('pays something, or `royalty/zero`', () => {
    expect(royaltyPayment(wei(1n))).toBe(1n)
    expect(() => royaltyPayment(wei(0n))).toThrow(expect.objectContaining({ code: 'royalty/zero' }))
  })
})
