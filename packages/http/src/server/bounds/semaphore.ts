/** Returns what waits for one of so many places, in the order asked for, and gives it away again. */
export function places(count: number): () => Promise<() => void> {
  let free = count
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  const once = () => {
    let held = true
    return () => {
      if (held) leave()
      held = false
    }
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return once()
  }
}
