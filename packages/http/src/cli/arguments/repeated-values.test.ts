import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownValue } from '../../api/shown-value.ts'
import { readAmount, readBps, readPrice } from './read-amounts.ts'
import { readTokenId } from './read-values.ts'

test('a wrong value is repeated, and a private name leads to its tokens', () => {
  expect(() => readPrice('--price', '0.1')).toThrow('0.01ether or 5usd, or whole wei; it is 0.1.')
  expect(() => readPrice('--price', '$5')).toThrow('; it is $5.')
  expect(() => readAmount('AMOUNT', '0.1')).toThrow('as in 0.01ether; it is 0.1.')
  expect(() => readBps('--royalty', '101%')).toThrow('as in 5% or 12.5%, or 500bps; it is 101%.')
  for (const text of ['5', '500', '15.5']) {
    expect(() => readBps('--royalty', text), text).toThrow(
      `--royalty needs a unit: 5%, or 500bps (basis points), which is the same; it is ${text}.`,
    )
  }
  for (const text of ['5%', '5.0 %', '500bps', '500 BPS']) {
    expect(readBps('--royalty', text), text).toBe(500)
  }
  expect(readBps('--royalty', '0')).toBe(0)
  expect(() => readTokenId('ID', 'mem.json')).toThrow(
    /^ID must be the number of a token, such as 7; it is mem\.json\.$/,
  )
  expect(() => readTokenId('ID', 'ada/x')).toThrow('heirloom log ada/x lists its tokens.')
})

test('units have either case, and ETH is ether', () => {
  const milli = 10n ** 15n
  for (const text of ['0.001ether', '0.001eth', '0.001ETH', '1000000GWEI']) {
    expect(readPrice('--price', text), text).toEqual({ currency: 'native', amount: milli })
  }
  expect(readPrice('--price', '0.5USD')).toEqual({ currency: 'dollar', amount: 500_000n })
})

test('no text that holds a key is repeated, nor one that a terminal obeys', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 25 })
  fc.assert(
    fc.property(fc.string(), hex, fc.string(), (before, secret, after) => {
      expect(shownValue(`${before}${secret}${after}`)).toBe('')
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.nat(0x2ff).map((it) => String.fromCharCode(it)) }), (text) => {
      expect(shownValue(text)).toMatch(/^(; it is [\x21-\x7e]{1,24})?$/)
    }),
  )
  expect(shownValue('two words')).toBe('')
  expect(shownValue('ada@3')).toBe('; it is ada@3')
  expect(shownValue('ftp://ada:secret@x')).toBe('')
})
