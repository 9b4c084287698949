import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatEther } from '../text/ether.ts'
import { parseTerms } from './terms.ts'

const amount = fc.bigInt({ min: 0n, max: 2n ** 80n - 1n })

test('parses terms as they were typed', () => {
  fc.assert(
    fc.property(amount, amount, amount, fc.integer({ min: 0, max: 10_000 }), (a, b, c, bps) => {
      fc.pre(a + b + c > 0n)
      const typed = {
        price: formatEther(a),
        rent: formatEther(b),
        fork: formatEther(c),
        percent: `${bps / 100}`,
      }
      expect(parseTerms(typed)).toEqual({
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
])('refuses %o', (typed) => {
  expect(parseTerms(typed)).toBeUndefined()
})
