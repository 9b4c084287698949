import { expect, test } from 'vitest'
import { howToOpen } from './open-memory.tsx'

const none = { currency: 'native', forkRoyaltyBps: 0, forkPrice: '0' } as const

test.each([
  ['1', '1', 'Buy or rent it to open it here.'],
  ['1', '0', 'Buy it to open it here.'],
  ['0', '1', 'Rent it to open it here.'],
  ['0', '0', 'It is offered neither for sale nor for rent now.'],
])('at a price of %s and a rent of %s: %s', (price, rentalPricePerDay, words) => {
  expect(howToOpen({ ...none, price, rentalPricePerDay })).toBe(words)
})

test('a memory that is not listed can be neither bought nor rented', () => {
  expect(howToOpen(undefined)).toBe('It is offered neither for sale nor for rent now.')
})
