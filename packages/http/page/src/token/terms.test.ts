import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CurrencyKind, decimalsOf, formatAmount } from '../text/amount.ts'
import { parsePercent, parseTerms } from './list-form.tsx'

const currencies = fc.constantFrom<CurrencyKind>('native', 'dollar')
const amount = fc.bigInt({ min: 0n, max: 2n ** 80n - 1n })
const share = fc.integer({ min: 0, max: 10_000 })

test('parses terms as they were typed', () => {
  fc.assert(
    fc.property(currencies, fc.tuple(amount, amount, amount, share), (currency, [a, b, c, bps]) => {
      fc.pre(a + b + c > 0n)
      const format = (it: bigint) => formatAmount(it, { decimals: decimalsOf[currency] })
      const typed = {
        currency,
        price: format(a),
        rent: format(b),
        fork: format(c),
        percent: `${bps / 100}`,
      }
      expect(parseTerms(typed)).toEqual({
        currency,
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
  [{ price: '1,500', rent: '', fork: '', percent: '5' }],
  [{ price: '1', rent: '', fork: '', percent: '101' }],
  [{ price: '1', rent: '', fork: '', percent: '-1' }],
  [{ price: '1', rent: '', fork: '', percent: '' }],
])('refuses %o', (typed) => {
  for (const currency of ['native', 'dollar'] as const) {
    expect(parseTerms({ currency, ...typed })).toBeUndefined()
  }
})

test('refuses more decimals than a dollar has', () => {
  const typed = { price: '1.0000001', rent: '', fork: '', percent: '5' }
  expect(parseTerms({ currency: 'dollar', ...typed })).toBeUndefined()
  expect(parseTerms({ currency: 'native', ...typed })).toBeDefined()
})

test.each([
  ['0', 0],
  ['12.34', 1234],
  [' 100 ', 10_000],
  ['12.345', undefined],
  ['100.01', undefined],
  ['-1', undefined],
  ['', undefined],
])('reads %j as a share', (text, bps) => {
  expect(parsePercent(text)).toBe(bps)
})
