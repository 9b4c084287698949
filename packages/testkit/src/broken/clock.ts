import type { Clock, Instant } from '@heirloom/core'
import { stoppedClock } from '../fakes/clock.ts'
import type { Broken } from './broken.ts'

/** One clock for each law of clocks. */
export const brokenClocks: readonly Broken<Clock>[] = [
  {
    law: 'tells a moment',
    fault: 'tells fractions of milliseconds',
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
