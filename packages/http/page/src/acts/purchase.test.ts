import { expect, test } from 'vitest'
import type { Listing } from '../../../src/client/responses.ts'
import { applyTerms, isOwnPurchase, type Purchase } from './act.ts'

const seller = '0x00000000000000000000000000000000000000Bb'
const buy: Purchase = { kind: 'buy', tokenId: '1', currency: 'native', price: '5', seller }
const rent: Purchase = {
  kind: 'rent',
  tokenId: '1',
  currency: 'native',
  perDay: '5',
  days: 3,
  seller,
}
const fork: Purchase = {
  kind: 'fork',
  tokenId: '1',
  currency: 'native',
  price: '5',
  royaltyBps: 100,
  seller,
}

const listing: Listing = {
  seller: '0x00000000000000000000000000000000000000cc',
  price: '7',
  rentalPricePerDay: '8',
  forkPrice: '9',
  forkRoyaltyBps: 200,
  isForSale: true,
  isForRent: true,
  isForFork: true,
  effectiveRoyaltyBps: 200,
  totalRoyaltyBps: 300,
  canBeForked: true,
}

test('a purchase takes the current price, seller and royalties', () => {
  const { seller } = listing
  expect(applyTerms(buy, listing)).toEqual({ ...buy, price: '7', seller })
  expect(applyTerms(rent, listing)).toEqual({ ...rent, perDay: '8', seller })
  expect(applyTerms(fork, listing)).toEqual({ ...fork, price: '9', royaltyBps: 300, seller })
})

test('a purchase takes the current currency', () => {
  const asset = '0x00000000000000000000000000000000000000Ee' as const
  const dollars = { asset, price: '70', rentalPricePerDay: '80', forkPrice: '0' }
  const inDollars = { ...listing, price: '0', rentalPricePerDay: '0', forkPrice: '0', dollars }
  const { seller } = listing
  const currency = 'dollar'
  expect(applyTerms(buy, inDollars)).toEqual({ ...buy, currency, price: '70', seller })
  expect(applyTerms(rent, inDollars)).toEqual({ ...rent, currency, perDay: '80', seller })
  expect(applyTerms(fork, inDollars)).toBe(fork)
})

test('a purchase that is no longer offered keeps its terms, which the chain refuses', () => {
  const none = { ...listing, price: '0', rentalPricePerDay: '0', forkPrice: '0' }
  for (const act of [buy, rent, fork]) expect(applyTerms(act, none)).toBe(act)
})

test('an own purchase is one of the seller, in any letter case', () => {
  for (const act of [buy, rent, fork]) {
    expect(isOwnPurchase(act, seller.toLowerCase())).toBe(true)
    expect(isOwnPurchase(act, listing.seller)).toBe(false)
    expect(isOwnPurchase(act, undefined)).toBe(false)
  }
  expect(isOwnPurchase({ kind: 'take-down', tokenId: '1' }, seller)).toBe(false)
})
