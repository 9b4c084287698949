/** What the client knows of time and chance. */
export type Timers = {
  /** Returns milliseconds since the Unix epoch. */
  readonly now: () => number
  /** Returns a number of at least 0 and less than 1. */
  readonly random: () => number
  /** Resolves after so many milliseconds; rejects with the signal's reason when that is sooner. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** The platform's own time and chance. */
export const systemTimers: Timers = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}
