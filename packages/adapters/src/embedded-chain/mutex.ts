/** Runs tasks one after another, in the order they came. */
export type Lane = {
  run<T>(task: () => Promise<T>): Promise<T>
  /** Resolves when no task is left. */
  empty(): Promise<void>
}

/** Opens a lane of its own. */
export function lane(): Lane {
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
