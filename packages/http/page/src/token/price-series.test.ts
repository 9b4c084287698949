import { expect, test } from 'vitest'
import type { Event } from '../../../src/client/responses.ts'
import { findOnlyPrice, hasPrices, priceSeries } from './price-chart.tsx'

const account = `0x${'1'.repeat(40)}` as const

let block = 0

/** Returns an event; each is in a block of its own. */
function event(kind: string, fields: object): Event {
  block += 1
  const position = { id: `${block}-0-00000000`, block: `${block}`, timestamp: `${100 + block}` }
  return {
    ...position,
    tokenId: '1',
    txHash: `0x${'2'.repeat(64)}`,
    logIndex: 0,
    kind,
    ...fields,
  } as Event
}

const terms = { seller: account, rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }

const day = 86_400

test('follows what is requested, and what was paid, in each currency apart', () => {
  const events = [
    event('transfer', { from: null, to: account }),
    event('listing', { ...terms, price: '5' }),
    event('listing', { ...terms, price: '5', rentalPricePerDay: '1' }),
    event('rental', { paid: '7', renter: account, expiresAt: `${104 + 7 * day}` }),
    event('dollar-listing', { ...terms, price: '900' }),
    event('dollar-sale', { price: '900' }),
    event('transfer', { from: account, to: account }),
    event('royalty', { amount: '1' }),
  ]
  const native = priceSeries(events.toReversed(), 'native')
  expect(native.sale).toEqual({
    requested: [
      { at: 102, price: 5n },
      { at: 105, price: 0n },
    ],
    paid: [],
  })
  expect(native.rent).toEqual({
    requested: [
      { at: 103, price: 1n },
      { at: 105, price: 0n },
    ],
    paid: [{ at: 104, price: 1n }],
  })
  const dollars = priceSeries(events, 'dollar')
  expect(dollars.sale).toEqual({
    requested: [
      { at: 105, price: 900n },
      { at: 107, price: 0n },
    ],
    paid: [{ at: 106, price: 900n }],
  })
  expect(hasPrices(dollars.rent)).toBe(false)
})

test('has the price of forks that was requested and paid', () => {
  const first = block + 101
  const events = [
    event('listing', { ...terms, price: '0', forkPrice: '20' }),
    event('fork', { price: '20' }),
    event('listing', { ...terms, price: '0', forkPrice: '30' }),
    event('dollar-listing', { ...terms, price: '0', forkPrice: '70' }),
    event('dollar-fork', { price: '70' }),
  ]
  expect(priceSeries(events, 'native').fork).toEqual({
    requested: [
      { at: first, price: 20n },
      { at: first + 2, price: 30n },
      { at: first + 3, price: 0n },
    ],
    paid: [{ at: first + 1, price: 20n }],
  })
  expect(priceSeries(events, 'dollar').fork).toEqual({
    requested: [{ at: first + 3, price: 70n }],
    paid: [{ at: first + 4, price: 70n }],
  })
})

test('has the price per day of a rental, also of one that extends another', () => {
  const first = block + 101
  const end = first + 7 * day
  const rent = (paid: string, fields: object) =>
    event('rental', { renter: account, paid, ...fields })
  const events = [
    rent('70', { expiresAt: `${end}` }),
    rent('60', { expiresAt: `${end + 3 * day}` }),
    rent('30', { expiresAt: `${first + 2 + day}`, renter: `0x${'3'.repeat(40)}` }),
  ]
  const { paid } = priceSeries(events, 'native').rent
  expect(paid.map(({ price }) => price)).toEqual([10n, 20n, 30n])
})

test('is empty of a memory that was never offered', () => {
  const events = [event('transfer', { from: null, to: account })]
  const nothing = { requested: [], paid: [] }
  expect(priceSeries(events, 'native')).toEqual({
    currency: 'native',
    sale: nothing,
    rent: nothing,
    fork: nothing,
  })
})

test('finds the only price that was requested and paid', () => {
  const [offer, end, sale] = [5n, 0n, 5n].map((price, at) => ({ at, price }))
  if (!offer || !end || !sale) throw new Error('The prices are missing.')
  expect(findOnlyPrice({ requested: [offer, end], paid: [sale] })).toBe(5n)
  expect(findOnlyPrice({ requested: [offer], paid: [{ at: 3, price: 4n }] })).toBeUndefined()
  expect(findOnlyPrice({ requested: [], paid: [] })).toBeUndefined()
})
