import { type Clock, instant } from '@heirloom/core'

/**
 * Returns a clock of the system time in whole milliseconds that never goes back: when the system
 * time is set back, the clock stands still until the system time catches up.
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
    /** Reads the source of time, in milliseconds since the Unix epoch; the system time by default. */
    readonly read?: () => number
  }
}
