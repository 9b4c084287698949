import { type Clock, instant } from '@heirloom/core'

/**
 * Tells the system's time in whole milliseconds, and never an earlier moment than before: when the
 * system's time is set back, the clock stands still until that time catches up.
 */
export function systemClock({ read = Date.now }: systemClock.Input = {}): Clock {
  let latest = 0
  return {
    now() {
      latest = Math.max(latest, Math.floor(read()))
      return instant(latest)
    },
  }
}

export declare namespace systemClock {
  type Input = {
    /** Reads the time to follow, in milliseconds since the Unix epoch; the system's by default. */
    readonly read?: () => number
  }
}
