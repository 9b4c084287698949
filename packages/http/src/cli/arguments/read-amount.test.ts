import fc from 'fast-check'
import { parseEther, parseGwei } from 'viem'
import { expect, test } from 'vitest'
import { amountText } from '../terminal/amount-text.ts'
import { readAmount } from './read-amount.ts'

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
