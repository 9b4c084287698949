import { arbitraryAccount, arbitraryBps, arbitraryWei } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { account } from './account.ts'
import { wei } from './money.ts'
import { type Licence, royaltyDepth, royaltyPayment, royaltyShare, splitPrice } from './royalty.ts'

const [ada, ben, cleo] = ['a', 'b', 'c'].map((digit) => account(`0x${digit.repeat(40)}`)) as [
  Licence['creator'],
  Licence['creator'],
  Licence['creator'],
]
const licence = fc.record({ creator: arbitraryAccount, royaltyBps: arbitraryBps })
const lineage = fc.array(licence, { maxLength: 12 })
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

describe('splitPrice', () => {
  test('leaves everything to the seller of a root', () => {
    expect(splitPrice(wei(1000n), [])).toEqual({ royalties: [], rest: 1000n })
  })

  test('pays each generation out of what the one below was due', () => {
    const above = [
      { creator: ada, royaltyBps: 1000 },
      { creator: ben, royaltyBps: 5000 },
      { creator: cleo, royaltyBps: 2000 },
    ]
    expect(splitPrice(wei(10_000n), above)).toEqual({
      royalties: [
        { to: ada, amount: 500n },
        { to: ben, amount: 400n },
        { to: cleo, amount: 100n },
      ],
      rest: 9000n,
    })
  })

  test('rounds down, for the good of who sells', () => {
    const above = [{ creator: ada, royaltyBps: 9999 }]
    expect(splitPrice(wei(1n), above)).toEqual({ royalties: [], rest: 1n })
    expect(splitPrice(wei(19_999n), above).rest).toBe(2n)
  })

  test('passes a whole price up when every share is whole', () => {
    const above = [ada, ben, cleo].map((creator) => ({ creator, royaltyBps: 10_000 }))
    expect(splitPrice(wei(7n), above)).toEqual({
      royalties: [{ to: cleo, amount: 7n }],
      rest: 0n,
    })
  })

  test('neither makes nor loses money', () =>
    fc.assert(
      fc.property(arbitraryWei, lineage, (price, above) => {
        const { royalties, rest } = splitPrice(price, above)
        expect(sum(royalties.map(({ amount }) => amount)) + rest).toBe(price)
        expect(royalties.every(({ amount }) => amount > 0n)).toBe(true)
      }),
    ))

  test('never leaves less to the seller because the lineage is longer', () =>
    fc.assert(
      fc.property(arbitraryWei, lineage, licence, (price, above, ancestor) => {
        fc.pre(above.length > 0)
        const { rest } = splitPrice(price, above)
        expect(splitPrice(price, [...above, ancestor]).rest).toBe(rest)
      }),
    ))

  test('leaves no less to the seller of a higher price', () =>
    fc.assert(
      fc.property(
        fc.bigInt(0n, 2n ** 90n),
        fc.bigInt(0n, 2n ** 90n),
        lineage,
        (low, more, above) => {
          const restOf = (price: bigint) => splitPrice(wei(price), above).rest
          expect(restOf(low + more) >= restOf(low)).toBe(true)
        },
      ),
    ))

  test('leaves no more to the seller when the share is higher', () =>
    fc.assert(
      fc.property(arbitraryWei, arbitraryBps, arbitraryBps, (price, one, other) => {
        const restOf = (royaltyBps: number) =>
          splitPrice(price, [{ creator: ada, royaltyBps }]).rest
        expect(restOf(Math.max(one, other)) <= restOf(Math.min(one, other))).toBe(true)
      }),
    ))

  test('reaches 8 generations and no further', () =>
    fc.assert(
      fc.property(arbitraryWei, lineage, licence, (price, above, ninth) => {
        const eight = [...above, ...Array.from({ length: 8 }, () => ninth)].slice(0, royaltyDepth)
        expect(splitPrice(price, [...eight, ninth])).toEqual(splitPrice(price, eight))
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
