/** A lock that runs tasks one after another, in the order they arrive. */
export type Mutex = {
  run<T>(task: () => Promise<T>): Promise<T>
  /** Resolves when no task is left. */
  empty(): Promise<void>
}

/** Returns a new mutex. */
export function mutex(): Mutex {
  let tail: Promise<void> = Promise.resolve()
  return {
    run: (task) => {
      const result = tail.then(task)
      tail = result.then(
        () => undefined,
        () => undefined,
      )
      return result
    },
    empty: () => tail,
  }
}
