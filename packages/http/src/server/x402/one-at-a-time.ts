/** Runs a task once those before it with the same key have ended. */
export type OneAtATime = <T>(key: string, task: () => Promise<T>) => Promise<T>

/** Returns a function that runs tasks one at a time for each key. */
export function oneAtATime(): OneAtATime {
  const lines = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const result = (lines.get(key) ?? Promise.resolve()).then(task)
    // A failure belongs to its caller and does not stop the tasks behind it.
    const end: Promise<unknown> = result
      .catch(() => undefined)
      .then(() => {
        if (lines.get(key) === end) lines.delete(key)
      })
    lines.set(key, end)
    return result
  }
}
