import { Failure } from '@heirloom/core'

/** Limits how many queries run at once. */
export type QuerySlots = {
  /**
   * Runs work as soon as a slot is free.
   *
   * @throws `catalogue/busy` where too many wait, or this one would wait for too long
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

export declare namespace querySlots {
  type Options = {
    /** The most calls that run at once. */
    readonly concurrency: number
    /** The most calls that may wait. */
    readonly queueLimit: number
    /** Returns how long a call may wait from now, in milliseconds. */
    readonly waitLimit: () => number
  }
}

/** Returns slots that are given in the order of the calls. */
export function querySlots({ concurrency, queueLimit, waitLimit }: querySlots.Options): QuerySlots {
  const waiting = new Set<() => void>()
  let running = 0
  const release = () => {
    running -= 1
    const [first] = waiting
    first?.()
  }
  const acquire = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = () => {
      waiting.delete(start)
      clearTimeout(timer)
      running += 1
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.delete(start)
      reject(busy())
    }, waitLimit())
    waiting.add(start)
    return promise
  }
  return {
    run: async (work) => {
      if (running < concurrency) running += 1
      else if (waiting.size >= queueLimit) throw busy()
      else await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

const busy = () => new Failure('catalogue/busy', { retryAfterSeconds: 1 })
