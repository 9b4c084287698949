/** The clock, timers and random numbers of the client. */
export type Timers = {
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly now: () => number
  /** Returns a random number, at least 0 and less than 1. */
  readonly random: () => number
  /** Resolves after a delay in milliseconds; rejects with the reason of the signal if it aborts. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** The clock, timers and random numbers of the platform. */
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
