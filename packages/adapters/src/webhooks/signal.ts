/** A wake-up call for one waiting task; a call while nobody waits wakes the next one that waits. */
export type Signal = {
  notify(): void
  /** Resolves at the next `notify`, after so many milliseconds, or when `stop` is aborted. */
  wait(milliseconds: number, stop: AbortSignal): Promise<void>
}

/** Waits for so many milliseconds, or until `stop` is aborted. */
export type Pause = (milliseconds: number, stop: AbortSignal) => Promise<void>

/** Returns a signal whose waits end with `pause`. */
export function signal(pause: Pause): Signal {
  let notified = Promise.withResolvers<void>()
  return {
    notify: () => notified.resolve(),
    wait: async (milliseconds, stop) => {
      const over = new AbortController()
      await Promise.race([
        notified.promise,
        pause(milliseconds, AbortSignal.any([stop, over.signal])),
      ])
      over.abort()
      notified = Promise.withResolvers()
    },
  }
}
