import { highestDollarPrice } from '@heirloom/core'
import fc from 'fast-check'
import { parseEther, parseGwei } from 'viem'
import { expect, test } from 'vitest'
import { amountText, dollarText } from '../terminal/value-text.ts'
import { readAmount, readPrice, readPrices } from './read-amounts.ts'

const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const read = (text: string) => readAmount('--price', text)

test('reads every amount that amountText shows, in wei and in ether', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const [, ether = '', wei = ''] = /^(\S+) ether \((\d+) wei\)$/.exec(amountText(amount)) ?? []
      expect(read(wei)).toBe(amount)
      expect(read(`${wei}wei`)).toBe(amount)
      expect(read(`${ether}ether`)).toBe(amount)
    }),
  )
})

test('agrees with viem on units', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (whole, fraction) => {
      const [ether, gwei] = [`${whole}.${fraction}`, `${whole}.${String(fraction).slice(0, 9)}`]
      expect(read(`${ether}ether`)).toBe(parseEther(ether))
      expect(read(`${gwei}gwei`)).toBe(parseGwei(gwei))
    }),
  )
})

test('refuses ambiguous amounts', () => {
  const sentence =
    /^--price must be whole wei, or a number with a unit as in 0\.01ether(; it is \S+)?\.$/
  for (const text of [
    '',
    '0.01',
    '1e18',
    '-1',
    '+1',
    '01',
    '1,5ether',
    '1 ether',
    '0x1',
    '1.5wei',
  ]) {
    expect(() => read(text), text).toThrow(sentence)
  }
  expect(() => read(`0.${'0'.repeat(18)}1ether`)).toThrow(sentence)
})

const amountsOf = fc.bigInt({ min: 0n, max: highestDollarPrice })

test('reads every amount of dollars that dollarText shows', () => {
  fc.assert(
    fc.property(amountsOf, (amount) => {
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
