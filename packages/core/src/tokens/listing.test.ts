import { arbitraryTerms, arbitraryTokenId } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Wei } from '../values/branded.ts'
import { tokenId, wei } from '../values/decimal.ts'
import { account } from '../values/hex.ts'
import {
  forkPrice,
  type Listing,
  listableTerms,
  refuseForeignLister,
  rentalPrice,
  salePrice,
} from './listing.ts'

const seller = account('0x00000000000000000000000000000000000000aa')
const listing = {
  tokenId: tokenId(7n),
  seller,
  price: wei(100n),
  rentalPricePerDay: wei(3n),
  forkPrice: wei(50n),
  forkRoyaltyBps: 500,
  effectiveRoyaltyBps: 500,
  totalRoyaltyBps: 500,
  canBeForked: true,
} satisfies Listing

const arbitraryListing = fc
  .tuple(arbitraryTerms, arbitraryTokenId)
  .map(([terms, id]): Listing => ({ ...listing, ...terms, tokenId: id }))

/** The three offers, each with its function and its expected price. */
const offers: readonly [string, (of: Listing, max?: Wei) => Wei, (of: Listing) => bigint][] = [
  ['sale', (of, max) => salePrice(of, max), ({ price }) => price],
  ['rent', (of, max) => rentalPrice(of, 30, max), ({ rentalPricePerDay: day }) => day * 30n],
  ['fork', (of, max) => forkPrice(of, max), (of) => of.forkPrice],
]

describe.each(offers)('the price of a %s', (offer, priceOf, expectedPrice) => {
  const code = `listing/not-for-${offer}`

  test('is the listed one, or `listing/not-for-…` when it is 0', () =>
    fc.assert(
      fc.property(arbitraryListing, (any) => {
        const price = expectedPrice(any)
        if (price === 0n) expect(() => priceOf(any)).toThrow(withCode(code))
        else expect(priceOf(any)).toBe(price)
      }),
    ))

  test('is at most the accepted price, or `listing/over-max-price`', () => {
    const price = expectedPrice(listing)
    expect(priceOf(listing, wei(price))).toBe(price)
    expect(priceOf(listing, wei(price + 1n))).toBe(price)
    expect(() => priceOf(listing, wei(price - 1n))).toThrow(
      expect.objectContaining({
        code: 'listing/over-max-price',
        facts: { tokenId: 7n, price, maxPrice: price - 1n },
      }),
    )
  })
})

describe('rentalPrice', () => {
  test('returns the total price of all days', () => {
    expect(rentalPrice(listing, 1, undefined)).toBe(3n)
    expect(rentalPrice(listing, 365, undefined)).toBe(1095n)
  })
})

describe('listableTerms', () => {
  test('returns valid terms', () =>
    fc.assert(
      fc.property(arbitraryTerms, (terms) => {
        expect(listableTerms(terms)).toEqual(terms)
      }),
    ))

  test.each(['price', 'rentalPricePerDay', 'forkPrice'])(
    'refuses a %s above the limit with `listing/price-too-high`',
    (way) => {
      const terms = { ...listing, [way]: wei(2n ** 80n) }
      expect(() => listableTerms(terms)).toThrow(withCode('listing/price-too-high'))
    },
  )

  test.each([-1, 10_001, 0.5, Number.NaN])(
    'refuses a royalty of %d with `royalty/bad-share`',
    (forkRoyaltyBps) => {
      expect(() => listableTerms({ ...listing, forkRoyaltyBps })).toThrow(
        withCode('royalty/bad-share'),
      )
    },
  )
})

describe('refuseForeignLister', () => {
  const other = account('0x00000000000000000000000000000000000000bb')

  test('accepts the owner in any letter case', () => {
    const upper = account('0x00000000000000000000000000000000000000AA')
    expect(() => refuseForeignLister(listing.tokenId, seller, upper)).not.toThrow()
  })

  test('refuses another account with `listing/not-owner`', () => {
    expect(() => refuseForeignLister(listing.tokenId, seller, other)).toThrow(
      expect.objectContaining({
        code: 'listing/not-owner',
        facts: { tokenId: 7n, owner: seller, account: other },
      }),
    )
  })
})

function withCode(code: string) {
  return expect.objectContaining({ code })
}
