import { Gauge, type Registry } from 'prom-client'

/** The difference of the clock of this machine from another one. */
export type ClockDifference = {
  /** The other clock: of the newest block, of PostgreSQL, or of the bucket. */
  readonly clock: 'chain' | 'database' | 'storage'
  /** The seconds by which the clock of this machine is ahead; below 0 where it is behind. */
  readonly seconds: number
}

/** Adds the meter of the clock of this machine; returns the function that sets it. */
export function clockMeters(registry: Registry): (differences: readonly ClockDifference[]) => void {
  const ahead = new Gauge({
    registers: [registry],
    name: 'heirloom_clock_ahead_seconds',
    help: "Seconds by which this machine's clock is ahead of the `database`, the `storage` (a bucket), or the newest block of the `chain`, which shows only one that is behind",
    labelNames: ['clock'],
  })
  return (differences) => {
    // A clock that is not seen any more says nothing of this one.
    ahead.reset()
    for (const { clock, seconds } of differences) ahead.set({ clock }, seconds)
  }
}
