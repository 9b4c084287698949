import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ether } from '../text/ether.ts'
import { termsOf } from './terms.ts'

const amount = fc.bigInt({ min: 0n, max: 2n ** 80n - 1n })

test('terms are listed as they were typed', () => {
  fc.assert(
    fc.property(amount, amount, amount, fc.integer({ min: 0, max: 10_000 }), (a, b, c, bps) => {
      fc.pre(a + b + c > 0n)
      const typed = { price: ether(a), rent: ether(b), fork: ether(c), percent: `${bps / 100}` }
      expect(termsOf(typed)).toEqual({
        price: `${a}`,
        rentalPricePerDay: `${b}`,
        forkPrice: `${c}`,
        forkRoyaltyBps: bps,
      })
    }),
  )
})

test.each([
  [{ price: '', rent: '', fork: '', percent: '5' }],
  [{ price: '1,5', rent: '', fork: '', percent: '5' }],
  [{ price: '1', rent: '', fork: '', percent: '101' }],
  [{ price: '1', rent: '', fork: '', percent: '-1' }],
  [{ price: '1', rent: '', fork: '', percent: '' }],
])('%o cannot be listed', (typed) => {
  expect(termsOf(typed)).toBeUndefined()
})
