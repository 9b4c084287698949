import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Attempt } from '../slots.ts'
import {
  boundsOfCancellation,
  boundsOfWrite,
  highestPrice,
  larger,
  priceWithin,
} from './replacement-price.ts'

const price = fc.bigInt({ min: 0n, max: 10n ** 15n })

/** Prices of an attempt or of the chain, whose tip is no more than the price. */
const fees = fc.tuple(price, price).map(([one, other]) => ({
  maxFeePerGas: larger(one, other),
  maxPriorityFeePerGas: one + other - larger(one, other),
}))

const slot = fc.record({
  gas: fc.bigInt({ min: 21_000n, max: 10n ** 7n }),
  attempts: fc.array(
    fees.map((it): Attempt => ({ ...it, hash: '0x', raw: '0x', cancels: false, signedAt: 0 })),
    { minLength: 1, maxLength: 4 },
  ),
})

test('a replacement adds a tenth, covers the market, and stays within 16 times the first price', () => {
  fc.assert(
    fc.property(slot, fees, (it, market) => {
      const bounds = boundsOfWrite(it, market)
      const next = priceWithin(it, market, bounds)
      const last = it.attempts.at(-1)?.maxFeePerGas ?? 0n
      expect(bounds.needed * 10n).toBeGreaterThanOrEqual(last * 11n)
      expect(bounds.needed).toBeGreaterThanOrEqual(market.maxFeePerGas)
      if (next === undefined) return
      expect(next.maxFeePerGas).toBeLessThanOrEqual(bounds.limit ?? bounds.needed)
      expect(next.maxPriorityFeePerGas).toBeLessThanOrEqual(next.maxFeePerGas)
    }),
  )
})

test('a first price of 0 bounds nothing', () => {
  fc.assert(
    fc.property(slot, (it) => {
      const first = it.attempts.find(({ maxFeePerGas }) => maxFeePerGas > 0n)?.maxFeePerGas
      expect(highestPrice(it)).toBe(first && first * 16n)
    }),
  )
})

test('a cancellation may always cost as much as the write, and a hundredth of a coin', () => {
  fc.assert(
    fc.property(slot, fees, (it, market) => {
      const { limit = 0n } = boundsOfCancellation(it, market)
      const cost = (limit + 1n) * 21_000n
      expect(cost).toBeGreaterThanOrEqual(10n ** 16n)
      expect(cost).toBeGreaterThanOrEqual((highestPrice(it) ?? 0n) * it.gas)
    }),
  )
})
