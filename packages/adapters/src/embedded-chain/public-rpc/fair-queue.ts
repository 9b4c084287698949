import { setTimeout } from 'node:timers/promises'
import { limitExceeded } from './rpc-error.ts'

/** Runs the tasks of many clients one at a time, each client in its turn. */
export type FairLane = {
  /** @throws `RpcError` with `retryAfter` when too many tasks wait */
  run<T>(client: string, task: () => Promise<T>): Promise<T>
}

export declare namespace fairLane {
  type Options = {
    /** How many tasks of a client may wait. */
    readonly perClient: number
    /** How many tasks may wait in all. */
    readonly inAll: number
    /** How many times as long as a task took the lane rests after it, so that others can work. */
    readonly rest: number
  }
}

/** The longest rest, in milliseconds. */
const longestRest = 2_000

type Task = () => Promise<unknown>

/** Opens a lane of its own. */
export function fairLane({ perClient, inAll, rest }: fairLane.Options): FairLane {
  const waiting = new Map<string, Task[]>()
  let size = 0
  let isRunning = false
  const next = (): Task | undefined => {
    const [client, tasks] = waiting.entries().next().value ?? ['', []]
    const task = tasks.shift()
    // Whoever had a turn is the last to have the next one.
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
      const pause = Math.min(longestRest, (performance.now() - began) * rest)
      // A timer is no finer than a millisecond.
      if (pause >= 1) await setTimeout(pause, undefined, { ref: false })
    }
    isRunning = false
  }
  return {
    run: (client, task) => {
      const tasks = waiting.get(client) ?? []
      if (tasks.length >= perClient || size >= inAll) {
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
