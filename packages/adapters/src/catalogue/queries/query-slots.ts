import { Failure } from '@heirloom/core'

/** Lets a few of many callers work at once. */
export type Turns = {
  /**
   * Works when it is its turn.
   *
   * @throws `catalogue/busy` where too many wait, or it would have to wait for too long
   */
  take<T>(work: () => Promise<T>): Promise<T>
}

export declare namespace turns {
  type Options = {
    /** How many work at once. */
    readonly atOnce: number
    /** How many may wait. */
    readonly mostWaiting: number
    /** Returns how long one that comes now may wait, in milliseconds. */
    readonly longestWait: () => number
  }
}

/** Returns turns in the order in which they are asked for. */
export function turns({ atOnce, mostWaiting, longestWait }: turns.Options): Turns {
  const waiting = new Set<() => void>()
  let working = 0
  const next = () => {
    working -= 1
    const [first] = waiting
    first?.()
  }
  const turn = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = () => {
      waiting.delete(start)
      clearTimeout(patience)
      working += 1
      resolve()
    }
    const patience = setTimeout(() => {
      waiting.delete(start)
      reject(busy())
    }, longestWait())
    waiting.add(start)
    return promise
  }
  return {
    take: async (work) => {
      if (working < atOnce) working += 1
      else if (waiting.size >= mostWaiting) throw busy()
      else await turn()
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}

const busy = () => new Failure('catalogue/busy', { retryAfterSeconds: 1 })
