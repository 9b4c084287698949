import { setTimeout } from 'node:timers/promises'
import { limitExceeded } from './rpc-error.ts'

/** A queue that runs one task at a time and takes the waiting clients in turn. */
export type FairQueue = {
  /**
   * Runs a task of a client when its turn comes.
   *
   * @throws `RpcError` with `retryAfter` when too many tasks wait
   */
  run<T>(client: string, task: () => Promise<T>): Promise<T>
}

export declare namespace fairQueue {
  type Options = {
    /** The limit of waiting tasks of one client. */
    readonly perClient: number
    /** The limit of all waiting tasks. */
    readonly total: number
    /** The pause after each task, as a multiple of the time that the task took. */
    readonly rest: number
  }
}

/** The longest pause, in milliseconds. */
const longestPause = 2_000

type Task = () => Promise<unknown>

/** Returns an empty fair queue. */
export function fairQueue({ perClient, total, rest }: fairQueue.Options): FairQueue {
  const waiting = new Map<string, Task[]>()
  let size = 0
  let isRunning = false
  const next = (): Task | undefined => {
    const [client, tasks] = waiting.entries().next().value ?? ['', []]
    const task = tasks.shift()
    // The client whose turn it was goes to the end.
    waiting.delete(client)
    if (tasks.length > 0) waiting.set(client, tasks)
    return task
  }
  const work = async () => {
    isRunning = true
    for (let task = next(); task !== undefined; task = next()) {
      size -= 1
      const began = performance.now()
      await task().catch(() => undefined)
      const pause = Math.min(longestPause, (performance.now() - began) * rest)
      // A timer has a resolution of one millisecond.
      if (pause >= 1) await setTimeout(pause, undefined, { ref: false })
    }
    isRunning = false
  }
  return {
    run: (client, task) => {
      const tasks = waiting.get(client) ?? []
      if (tasks.length >= perClient || size >= total) {
        return Promise.reject(limitExceeded('Too many requests wait for the chain', 1))
      }
      const result = Promise.withResolvers<Awaited<ReturnType<typeof task>>>()
      tasks.push(() => task().then((value) => result.resolve(value as never), result.reject))
      waiting.set(client, tasks)
      size += 1
      if (!isRunning) void work()
      return result.promise
    },
  }
}
