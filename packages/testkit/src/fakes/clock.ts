import { type Clock, type Instant, instant } from '@heirloom/core'

/** A clock that moves only when it is advanced. */
export type StoppedClock = Clock & {
  /** Advances the clock by whole milliseconds. */
  readonly advance: (milliseconds: number) => void
}

/** Creates a clock that stands at `at` until it is advanced. */
export function stoppedClock(at: Instant = instant(1_800_000_000_000)): StoppedClock {
  let now = at
  return {
    now: () => now,
    advance: (milliseconds) => {
      now = instant(now + instant(milliseconds))
    },
  }
}
