import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keystream } from './cutter.ts'
import { packWriter } from './pack-writer.ts'

const usualLength = 10_000
const lengths = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 60 })

test('a pack is no shorter than half of the usual, unless it is the only one, and none is half as long again', () => {
  fc.assert(
    fc.property(lengths, (all) => {
      const draws = keystream(new Uint8Array(32))
      const writer = packWriter({ draws, usualLength, firstRoom: 16, most: 31 })
      const filled = new Map<number, number>()
      let left = all.reduce((sum, length) => sum + length, 0)
      for (const length of all) {
        left -= length
        const { tag, offset, box } = writer.place(length, left)
        expect([offset, box.length]).toEqual([filled.get(tag) ?? 0, length])
        filled.set(tag, offset + length)
      }
      const packs = writer.end()
      expect(packs.map(({ tag }) => tag)).toEqual([...filled.keys()])
      if (packs.length === 1) return
      expect(Math.min(...filled.values())).toBeGreaterThan(usualLength / 2)
      expect(Math.max(...filled.values())).toBeLessThanOrEqual(1.5 * usualLength)
    }),
    { seed: 3 },
  )
})
