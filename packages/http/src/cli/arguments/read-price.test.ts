import { highestDollarPrice } from '@heirloom/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dollarText } from '../terminal/amount-text.ts'
import { readPrice, readPrices } from './read-price.ts'

const amounts = fc.bigInt({ min: 0n, max: highestDollarPrice })

test('reads every amount of dollars that dollarText shows', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const text = dollarText(amount).replace(' USD', 'usd')
      expect(readPrice('--price', text)).toEqual({ currency: 'dollar', amount })
    }),
  )
})

test.each([
  ['5usd', 5_000_000n],
  ['0.25usd', 250_000n],
  ['0.000001usd', 1n],
])('reads %s as %d millionths', (text, amount) => {
  expect(readPrice('--price', text)).toEqual({ currency: 'dollar', amount })
})

test.each(['0.0000001usd', 'usd', '-1usd', '1,5usd', '01usd', '5 usd'])(
  'refuses %s, and never takes it for wei',
  (text) =>
    expect(() => readPrice('--price', text)).toThrow('--price must have at most 6 decimals'),
)

test('reads prices in one currency only; 0 and none have any', () => {
  expect(readPrices({ '--price': '5usd', '--rent': '0', '--fork-price': undefined })).toEqual({
    currency: 'dollar',
    amounts: { '--price': 5_000_000n, '--rent': 0n, '--fork-price': 0n },
  })
  expect(readPrices({ '--price': undefined, '--rent': '7gwei' })).toEqual({
    currency: 'native',
    amounts: { '--price': 0n, '--rent': 7_000_000_000n },
  })
  expect(() => readPrices({ '--price': '5usd', '--rent': '7gwei' })).toThrow('in one currency')
})
