import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  approximate,
  type Currency,
  ether,
  formatAmount,
  formatExactAmount,
  formatShortAmount,
  parseAmount,
} from './amount.ts'

const amounts = fc.bigInt({ min: 0n, max: 2n ** 96n })

describe('an amount in ether', () => {
  it('is parsed to the same value as it was formatted', () => {
    fc.assert(fc.property(amounts, (wei) => parseAmount(formatAmount(wei, ether), ether) === wei))
  })

  it.each([
    [0n, '0 ETH'],
    [1n, '1 wei'],
    [999_999_999n, '999999999 wei'],
    [10n ** 9n, '1 gwei'],
    [1_234_567_890n, '≈ 1.235 gwei'],
    [5n * 10n ** 16n, '0.05 ETH'],
    [10n ** 18n + 1n, '≈ 1 ETH'],
    [1_234_567n * 10n ** 18n, '1,234,567 ETH'],
  ])('of %s wei is shown as %s', (wei, shown) => {
    expect(formatShortAmount(wei, ether)).toBe(shown)
  })

  it('is marked as rounded exactly when it is', () => {
    fc.assert(
      fc.property(amounts, (wei) => {
        const shown = formatShortAmount(wei, ether)
        const [, digits = '', unit = ''] = /^(?:≈ )?([\d,.]+) (ETH|gwei|wei)$/.exec(shown) ?? []
        const units = { ETH: 10n ** 18n, gwei: 10n ** 9n, wei: 1n }[unit] ?? 0n
        const shownWei =
          ((parseAmount(digits.replaceAll(',', ''), ether) ?? -1n) * units) / 10n ** 18n
        expect(shown.startsWith('≈')).toBe(shownWei !== wei)
        expect(shownWei > wei ? shownWei - wei : wei - shownWei).toBeLessThanOrEqual(units / 2000n)
      }),
    )
  })

  it.each([
    ['0,05', 5n * 10n ** 16n],
    ['1,5', 15n * 10n ** 17n],
    [',25', 25n * 10n ** 16n],
    ['0,125', 125n * 10n ** 15n],
    ['12,3456', 123456n * 10n ** 14n],
  ])('is parsed from %s, with a decimal comma', (text, wei) =>
    expect(parseAmount(text, ether)).toBe(wei),
  )

  it.each([
    '',
    '.',
    ',',
    '1e3',
    '-1',
    '1,234',
    '10,000',
    '1,234.5',
    '1.234,5',
    '1,2,3',
    '0x10',
    'one',
    '1.0000000000000000001',
  ])('is not parsed from "%s"', (text) => expect(parseAmount(text, ether)).toBeUndefined())
})

describe('an amount in dollars', () => {
  const dollar: Currency = { kind: 'dollar', name: 'USD Coin', symbol: 'USDC', decimals: 6 }

  it('is parsed to the same value as it was formatted', () => {
    const same = (it: bigint) => parseAmount(formatAmount(it, dollar), dollar) === it
    fc.assert(fc.property(amounts, same))
  })

  it('is never rounded, because it has six decimals', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const [, digits = ''] = /^([\d,.]+) USDC$/.exec(formatShortAmount(amount, dollar)) ?? []
        expect(parseAmount(digits.replaceAll(',', ''), dollar)).toBe(amount)
      }),
    )
  })

  it('is shown with its symbol, and exactly with its name', () => {
    expect(formatShortAmount(1n, dollar)).toBe('0.000001 USDC')
    expect(formatShortAmount(1_234_500_000n, dollar)).toBe('1,234.5 USDC')
    expect(formatExactAmount(2_500_000n, dollar)).toBe('2.5 USD Coin')
  })

  it('has at most six decimals', () => {
    expect(parseAmount('1.0000001', dollar)).toBeUndefined()
  })
})

test('an amount in another native currency has its symbol', () => {
  expect(formatShortAmount(10n ** 18n, { ...ether, name: 'POL', symbol: 'POL' })).toBe('1 POL')
})

describe('the worth of an amount', () => {
  const rate = { price: '3000', currency: 'EUR' }

  it('is that of its units at the rate, to two digits', () => {
    const cents = fc.bigInt({ min: 1n, max: 10n ** 9n })
    fc.assert(
      fc.property(cents, (amount) => {
        const text = approximate(amount * 10n ** 13n, { ...ether, rate })
        const said = Number(text.replace('about €', '').replaceAll(',', ''))
        const worth = Number(amount) * 0.03
        expect(Math.abs(said - worth)).toBeLessThanOrEqual(worth * 0.051)
      }),
    )
  })

  it('is not said without a rate, nor of nothing', () => {
    expect(approximate(10n ** 18n, ether)).toBe('')
    expect(approximate(0n, { ...ether, rate })).toBe('')
    expect(approximate(4n * 10n ** 15n, { ...ether, rate })).toBe('about €12')
  })
})
