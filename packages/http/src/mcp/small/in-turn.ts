const turns = new WeakMap<object, Map<string, Promise<void>>>()

/** Runs a task for a name after those that were begun before it for the same owner and name. */
export function inTurn<T>(owner: object, name: string, task: () => Promise<T>): Promise<T> {
  const names = turns.get(owner) ?? new Map<string, Promise<void>>()
  turns.set(owner, names)
  const result = (names.get(name) ?? Promise.resolve()).then(task)
  const end = result.then(ignore, ignore)
  names.set(name, end)
  end.then(() => {
    if (names.get(name) === end) names.delete(name)
  })
  return result
}

const ignore = () => undefined
