/** A counter of changes, with which a reader detects that a state is still the same. */
export type StateVersion = {
  /** Returns a number that is equal for equal states; absent while a change is under way. */
  version(): number | undefined
  /** Runs a change of the state. */
  changing<T>(change: () => Promise<T>): Promise<T>
  /** Registers a listener for changes; returns a function that removes it. */
  onChange(listener: () => void): () => void
}

/** Returns the version of a state that changes only within `changing`. */
export function stateVersion(): StateVersion {
  let changes = 0
  let underWay = 0
  const listeners = new Set<() => void>()
  return {
    // A reader cannot know at which moment within a change the state becomes the new one.
    version: () => (underWay > 0 ? undefined : changes),
    changing: async (change) => {
      underWay += 1
      try {
        return await change()
      } finally {
        underWay -= 1
        changes += 1
        for (const listener of listeners) listener()
      }
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
