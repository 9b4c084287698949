/** Counts the changes of a state, so that others can tell whether it is still the same. */
export type StateVersion = {
  /** Equal numbers, equal states; absent while a change is under way. */
  version(): number | undefined
  /** Carries a change out. */
  changing<T>(change: () => Promise<T>): Promise<T>
  /** Calls after every change; returns what ends that. */
  onChange(call: () => void): () => void
}

/** Returns the version of a state that only changes while `changing` says so. */
export function stateVersion(): StateVersion {
  let changes = 0
  let underWay = 0
  const listeners = new Set<() => void>()
  return {
    // Nobody can say when within a change the state becomes another.
    version: () => (underWay > 0 ? undefined : changes),
    changing: async (change) => {
      underWay += 1
      try {
        return await change()
      } finally {
        underWay -= 1
        changes += 1
        for (const tell of listeners) tell()
      }
    },
    onChange: (call) => {
      listeners.add(call)
      return () => listeners.delete(call)
    },
  }
}
