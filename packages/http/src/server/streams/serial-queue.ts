import { setImmediate } from 'node:timers/promises'

/** Runs a task after those that came before it. */
export type OneByOne = <T>(task: () => Promise<T>) => Promise<T>

/** Returns a queue that runs one task at a time and lets the event loop turn after each. */
export function oneByOne(): OneByOne {
  let previous: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = previous.then(task)
    // A failure is its caller's, and holds up nobody behind it.
    previous = result.catch(() => undefined).then(() => setImmediate())
    return result
  }
}
