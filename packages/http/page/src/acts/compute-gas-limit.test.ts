import fc from 'fast-check'
import { expect, test } from 'vitest'
import { publicLimits } from '../../../../adapters/src/platform/public-limits.ts'
import { computeGasLimit } from './estimate-cost.ts'

test('allows a quarter more gas than estimated', () => {
  expect(computeGasLimit(100_000n, false)).toBe(155_000n)
  expect(computeGasLimit(90_000n, true)).toBe(142_500n)
  expect(computeGasLimit(400_000n, false)).toBe(530_000n)
  expect(computeGasLimit(2_000_000n, true)).toBe(2_530_000n)
})

test('allows no more than the estimate where the server may bound the purchase closely', () => {
  expect(computeGasLimit(500_000n, true)).toBe(500_000n)
})

test('stays within the limit of the server and above the estimate', () => {
  const estimates = fc.bigInt({ min: 21_000n, max: publicLimits.gas })
  fc.assert(
    fc.property(estimates, (estimate) => {
      const gas = computeGasLimit(estimate, true)
      expect(gas).toBeGreaterThanOrEqual(estimate)
      expect(gas).toBeLessThanOrEqual(publicLimits.gas)
    }),
  )
})
