import { setImmediate } from 'node:timers/promises'

/** Runs a task after those before it. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>

/** Returns a queue that runs one task at a time and yields to the event loop after each. */
export function serialQueue(): SerialQueue {
  let previous: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = previous.then(task)
    // A failure belongs to its caller and does not stop the tasks behind it.
    previous = result.catch(() => undefined).then(() => setImmediate())
    return result
  }
}
