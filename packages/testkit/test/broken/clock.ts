import type { Clock, Instant } from '@heirloom/core'
import { stoppedClock } from '../../src/fakes/clock.ts'
import type { Broken } from './faulty-harness.ts'

/** A broken clock for each law. */
export const brokenClocks: readonly Broken<Clock>[] = [
  {
    law: 'returns a valid instant',
    fault: 'returns fractions of milliseconds',
    open: async () => ({ now: () => (stoppedClock().now() + 0.5) as Instant }),
  },
  {
    law: 'never goes back',
    fault: 'runs backwards',
    open: async () => {
      let reads = 0
      return { now: () => (stoppedClock().now() - reads++) as Instant }
    },
  },
]
