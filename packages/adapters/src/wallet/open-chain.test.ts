import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deadlineAfter } from './open-chain.ts'

const arbitraryTime = fc.integer({ min: 1_700_000_000, max: 4_000_000_000 })

describe('what a wallet signs is valid', () => {
  test('for 25 minutes of its own clock at most, whatever a node says of the time', () => {
    fc.assert(
      fc.property(arbitraryTime, fc.maxSafeNat(), (seconds, time) => {
        const deadline = deadlineAfter({ chainId: 1 }, { time, now: seconds * 1000 })
        expect(deadline).toBeGreaterThanOrEqual(seconds + 600)
        expect(deadline).toBeLessThanOrEqual(seconds + 1500)
      }),
    )
  })

  test('for ten minutes from the later of block and clock, while these agree', () => {
    const difference = fc.integer({ min: -900, max: 900 })
    fc.assert(
      fc.property(arbitraryTime, difference, (seconds, ahead) => {
        const times = { time: seconds + ahead, now: seconds * 1000 }
        expect(deadlineAfter({ chainId: 1 }, times)).toBe(seconds + Math.max(ahead, 0) + 600)
      }),
    )
  })

  test('on a chain for tests, whose clock was turned by years', () => {
    const times = { time: 3_000_000_000, now: 1_800_000_000_000 }
    expect(deadlineAfter({ chainId: 31337 }, times)).toBe(3_000_000_600)
  })
})
