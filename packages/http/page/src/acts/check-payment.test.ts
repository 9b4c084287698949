import { account, dollars, type Listing, noPrices, tokenId, wei } from '@heirloom/core'
import { expect, test } from 'vitest'
import { Problem } from '../api/problem.ts'
import { requireTerms } from './check-payment.ts'

const seller = '0x00000000000000000000000000000000000000Bb'
const asset = account('0x00000000000000000000000000000000000000Ee')
const of = { tokenId: '1', currency: 'dollar', seller } as const
const buy = { ...of, kind: 'buy', price: '5' } as const
const rent = { ...of, kind: 'rent', perDay: '2', days: 3 } as const
const fork = { ...of, kind: 'fork', price: '7', royaltyBps: 500 } as const

const listing: Listing = {
  tokenId: tokenId('1'),
  seller: account(seller),
  ...noPrices,
  forkRoyaltyBps: 300,
  effectiveRoyaltyBps: 300,
  totalRoyaltyBps: 500,
  canBeForked: true,
  dollars: {
    asset,
    price: dollars(5n),
    rentalPricePerDay: dollars(2n),
    forkPrice: dollars(7n),
  },
}

test('the terms of an order are those of the chain', () => {
  expect(requireTerms(buy, listing)).toMatchObject({ act: 'buy', price: 5n })
  expect(requireTerms(rent, listing)).toMatchObject({ act: 'rent', price: 6n, days: 3 })
  expect(requireTerms(fork, listing)).toMatchObject({ act: 'fork', maxRoyaltyBps: 500 })
})

const codeOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
  return 'nothing was refused'
}

const { dollars: prices, ...plain } = listing
const inEther = { ...plain, price: wei(5n), rentalPricePerDay: wei(2n), forkPrice: wei(7n) }

test('refuses a listing that is now in native money, at the same numbers', () => {
  for (const act of [buy, rent, fork]) {
    expect(codeOf(() => requireTerms(act, inEther))).toBe('listing/currency-changed')
  }
})

test('refuses another price, in either direction', () => {
  if (prices === undefined) throw new Error('The listing has no prices in dollars.')
  for (const price of [4n, 6n]) {
    const changed = { ...listing, dollars: { ...prices, price: dollars(price) } }
    expect(codeOf(() => requireTerms(buy, changed))).toBe('listing/price-changed')
  }
})

test('refuses higher royalties than the visitor agreed to, and takes lower ones', () => {
  const owing = (totalRoyaltyBps: number) => ({ ...listing, totalRoyaltyBps })
  expect(codeOf(() => requireTerms(fork, owing(501)))).toBe('listing/royalty-changed')
  expect(requireTerms(fork, owing(499))).toMatchObject({ maxRoyaltyBps: 499 })
})

test('refuses what is no longer offered', () => {
  const none = { ...plain, ...noPrices }
  expect(codeOf(() => requireTerms(buy, none))).toBe('listing/not-for-sale')
  expect(codeOf(() => requireTerms(rent, none))).toBe('listing/not-for-rent')
  expect(codeOf(() => requireTerms(fork, none))).toBe('listing/not-for-fork')
})
