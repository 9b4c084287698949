import type { Collected } from './collect-packs.ts'

/** Removes from time to time what no version needs. */
export type PackSweep = {
  /** Sweeps once more, after the current sweep. */
  readonly sweep: () => Promise<void>
  /** Stops after the current step. */
  readonly close: () => Promise<void>
}

export declare namespace packSweep {
  type Parts = {
    readonly collect: (closing: AbortSignal) => Promise<Collected>
    readonly observe?: (collected: Collected) => void
    readonly onTrouble: (error: unknown) => void
    /** Returns the time of the job store, in milliseconds since 1970. */
    readonly now: () => number
  }
}

/** The time between two sweeps, in milliseconds. */
const interval = 3_600_000

/**
 * Starts the sweeps, at each full hour by the clock that all servers read. Machines with disks of
 * their own remove a pack at one time: what one of them still has it would store on the others again.
 */
export function packSweep({
  collect,
  observe = () => undefined,
  onTrouble,
  now,
}: packSweep.Parts): PackSweep {
  const closing = new AbortController()
  let last: Promise<void> = Promise.resolve()
  const run = async () => {
    if (closing.signal.aborted) return
    await collect(closing.signal).then(observe, onTrouble)
  }
  const sweep = () => {
    last = last.then(run)
    return last
  }
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(() => void sweep().then(schedule), interval - (now() % interval)).unref()
  }
  schedule()
  return {
    sweep,
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await last
      clearTimeout(timer)
    },
  }
}
