import { expect, test } from 'vitest'
import type { Event } from '../../../src/client/responses.ts'
import { priceSeries } from './price-series.ts'

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

test('follows what is requested, and what was paid, in each currency apart', () => {
  const events = [
    event('transfer', { from: null, to: account }),
    event('listing', { ...terms, price: '5' }),
    event('listing', { ...terms, price: '5', rentalPricePerDay: '1' }),
    event('rental', { paid: '7' }),
    event('dollar-listing', { ...terms, price: '900' }),
    event('dollar-sale', { price: '900' }),
    event('transfer', { from: account, to: account }),
    event('royalty', { amount: '1' }),
  ]
  const native = priceSeries(events.toReversed(), 'native')
  expect(native.requested).toEqual([
    { at: 102, price: 5n },
    { at: 105, price: 0n },
  ])
  expect([native.sales, native.rentals]).toEqual([[], [{ at: 104, price: 7n }]])
  const dollars = priceSeries(events, 'dollar')
  expect(dollars.requested).toEqual([
    { at: 105, price: 900n },
    { at: 107, price: 0n },
  ])
  expect(dollars.sales).toEqual([{ at: 106, price: 900n }])
})

test('is empty of a memory that was never offered', () => {
  const events = [event('transfer', { from: null, to: account })]
  const nothing = { requested: [], sales: [], rentals: [] }
  expect(priceSeries(events, 'native')).toEqual({ currency: 'native', ...nothing })
})
