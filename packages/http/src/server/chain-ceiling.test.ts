import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesPerBlock, chainCeiling } from './open-chain.ts'

test('a chain at its ceiling takes half of the memory, and never more blocks than a start can execute', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2 ** 28, max: 2 ** 40 }), (memory) => {
      const ceiling = chainCeiling(memory)
      expect(ceiling * bytesPerBlock).toBeLessThanOrEqual(memory / 2)
      expect(ceiling).toBeLessThanOrEqual(500_000)
      expect(chainCeiling(memory + bytesPerBlock)).toBeGreaterThanOrEqual(ceiling)
    }),
  )
  expect(chainCeiling(2 ** 30)).toBe(24_403)
  expect(chainCeiling(2 ** 40)).toBe(500_000)
})

test('this machine has a ceiling', () => {
  expect(chainCeiling()).toBeGreaterThan(1000)
})
