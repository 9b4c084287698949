import assert from 'node:assert/strict'
import { type Clock, instant } from '@heirloom/core'
import fc from 'fast-check'
import type { Law } from './law.ts'

/** The laws of every `Clock`. */
export const clockLaws: readonly Law<Clock>[] = [
  {
    name: 'returns a valid instant',
    holds: async (clock) => {
      const now = clock.now()
      assert.equal(instant(now), now)
    },
  },
  {
    name: 'never goes back',
    holds: async (clock) =>
      fc.assert(
        fc.property(fc.integer({ min: 2, max: 100 }), (reads) => {
          const times = Array.from({ length: reads }, () => clock.now())
          assert.deepEqual(
            times.toSorted((one, other) => one - other),
            times,
          )
        }),
      ),
  },
]
