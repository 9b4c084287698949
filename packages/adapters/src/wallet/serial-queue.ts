/** Runs tasks one after the other. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>

/** Creates a queue; a task that fails does not stop the next one. */
export function serialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(task, task)
    last = next.catch(() => undefined)
    return next
  }
}
