/** Returns a semaphore: a function that waits for a permit, first come first served, and returns its release. */
export function semaphore(count: number): () => Promise<() => void> {
  let free = count
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  const once = () => {
    let held = true
    return () => {
      if (held) release()
      held = false
    }
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return once()
  }
}
