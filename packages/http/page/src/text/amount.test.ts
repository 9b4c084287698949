import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatEther, formatShortEther, parseEther } from './ether.ts'

const amounts = fc.bigInt({ min: 0n, max: 2n ** 96n })

describe('an amount in ether', () => {
  it('is parsed to the same value as it was formatted', () => {
    fc.assert(fc.property(amounts, (wei) => parseEther(formatEther(wei)) === wei))
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
    expect(formatShortEther(wei)).toBe(shown)
  })

  it('is marked as rounded exactly when it is', () => {
    fc.assert(
      fc.property(amounts, (wei) => {
        const shown = formatShortEther(wei)
        const [, digits = '', unit = ''] = /^(?:≈ )?([\d,.]+) (ETH|gwei|wei)$/.exec(shown) ?? []
        const units = { ETH: 10n ** 18n, gwei: 10n ** 9n, wei: 1n }[unit] ?? 0n
        const shownWei = ((parseEther(digits.replaceAll(',', '')) ?? -1n) * units) / 10n ** 18n
        expect(shown.startsWith('≈')).toBe(shownWei !== wei)
        expect(shownWei > wei ? shownWei - wei : wei - shownWei).toBeLessThanOrEqual(units / 2000n)
      }),
    )
  })

  it.each(['', '.', '1e3', '-1', '1,5', '0x10', 'one', '1.0000000000000000001'])(
    'is not parsed from "%s"',
    (text) => expect(parseEther(text)).toBeUndefined(),
  )
})
