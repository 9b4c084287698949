import fc from 'fast-check'
import { expect, test } from 'vitest'
import { strangerLimits } from '../../../../adapters/src/embedded-chain/public-rpc/public-limits.ts'
import { gasToAllow } from './compute-gas-limit.ts'

test('an act may use a quarter more gas than was estimated', () => {
  expect(gasToAllow(100_000n, false)).toBe(155_000n)
  expect(gasToAllow(100_000n, true)).toBe(155_000n)
  expect(gasToAllow(400_000n, false)).toBe(530_000n)
})

test('a server takes whatever it estimated', () => {
  const estimates = fc.bigInt({ min: 21_000n, max: strangerLimits.gas })
  fc.assert(
    fc.property(estimates, (estimate) => {
      const gas = gasToAllow(estimate, true)
      expect(gas).toBeGreaterThanOrEqual(estimate)
      expect(gas).toBeLessThanOrEqual(strangerLimits.gas)
    }),
  )
})
