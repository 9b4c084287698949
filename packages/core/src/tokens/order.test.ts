import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dollars, tokenId, wei } from '../values/decimal.ts'
import { account, nobody } from '../values/hex.ts'
import { currencyOf, type Listing, listableTerms, noPrices, orderTerms } from './listing.ts'

const asset = account(`0x${'d0'.repeat(20)}`)
const royalties = { effectiveRoyaltyBps: 500, totalRoyaltyBps: 700, canBeForked: true }
const unlisted: Listing = {
  tokenId: tokenId(7n),
  seller: nobody,
  ...noPrices,
  forkRoyaltyBps: 500,
  ...royalties,
}
const inDollars = (price: bigint, day: bigint, fork: bigint): Listing => ({
  ...unlisted,
  dollars: {
    asset,
    price: dollars(price),
    rentalPricePerDay: dollars(day),
    forkPrice: dollars(fork),
  },
})
const failure = (code: string) => expect.objectContaining({ code })

test('an order costs the whole price in dollars', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 365 }),
      fc.bigInt({ min: 1n, max: 2n ** 80n - 1n }),
      (days, day) => {
        const listing = inDollars(5n, day, 9n)
        const none = { days: 0, maxRoyaltyBps: 0 }
        expect(orderTerms(listing, { act: 'buy' })).toEqual({ ...none, act: 'buy', price: 5n })
        const rent = { act: 'rent', days } as const
        expect(orderTerms(listing, rent)).toEqual({ ...none, ...rent, price: day * BigInt(days) })
        const fork = { ...none, act: 'fork', price: 9n, maxRoyaltyBps: 700 }
        expect(orderTerms(listing, { act: 'fork' })).toEqual(fork)
      },
    ),
  ))

test.each([
  ['buy', 'listing/not-for-sale'],
  ['rent', 'listing/not-for-rent'],
  ['fork', 'listing/not-for-fork'],
] as const)('an order to %s what is not offered fails with %s', (act, code) => {
  for (const listing of [unlisted, inDollars(0n, 0n, 0n)]) {
    expect(() => orderTerms(listing, { act, days: 1 })).toThrow(failure(code))
  }
})

test('an order for a price in wei fails with `listing/currency-changed`', () => {
  const one = wei(1n)
  const listing = { ...unlisted, price: one, rentalPricePerDay: one, forkPrice: one }
  for (const act of ['buy', 'rent', 'fork'] as const) {
    expect(() => orderTerms(listing, { act, days: 1 })).toThrow(failure('listing/currency-changed'))
  }
})

test('terms have one currency; prices in dollars that are all 0 are none', () => {
  const { dollars: none, ...free } = inDollars(0n, 0n, 0n)
  expect(currencyOf({ dollars: none })).toBe('native')
  expect(listableTerms({ ...free, dollars: none })).not.toHaveProperty('dollars')
  const { dollars: prices } = inDollars(1n, 0n, 0n)
  expect(currencyOf({ dollars: prices })).toBe('dollar')
  expect(() => listableTerms({ ...free, price: wei(1n), dollars: prices })).toThrow(
    failure('listing/two-currencies'),
  )
})
