import { setImmediate } from 'node:timers/promises'

/** Runs a task after those before it. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>

/** Returns a queue that runs one task at a time and yields to the event loop after each. */
export function serialQueue(): SerialQueue {
  let previous: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = previous.then(task)
    // A failure belongs to its caller and does not stop the tasks behind it.
    previous = result.catch(() => undefined).then(() => setImmediate())
    return result
  }
}

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

/** The turns of clients: each has a few at once, and its others wait in order. */
export type ClientTurns = {
  /** Waits for a turn of a client. */
  readonly take: (client: string) => Turn
}

/** A turn, or the wait for it. */
type Turn = {
  /** Resolves when the turn begins; rejects when it ended before. */
  readonly begun: Promise<void>
  /** Ends the turn, or the wait for it. */
  readonly end: () => void
}

type Client = { running: number; readonly waiting: Set<() => void> }

/** Returns turns of which each client has so many at once. */
export function clientTurns(atOnce: number): ClientTurns {
  const clients = new Map<string, Client>()
  const next = (name: string, client: Client) => {
    const [first] = client.waiting
    if (first !== undefined && client.running < atOnce) first()
    if (client.running === 0) clients.delete(name)
  }
  return {
    take: (name) => {
      const client = clients.get(name) ?? { running: 0, waiting: new Set() }
      clients.set(name, client)
      const { promise: begun, resolve, reject } = Promise.withResolvers<void>()
      let state: 'waiting' | 'running' | 'ended' = 'waiting'
      const begin = () => {
        client.waiting.delete(begin)
        client.running += 1
        state = 'running'
        resolve()
      }
      client.waiting.add(begin)
      next(name, client)
      const end = () => {
        if (state === 'ended') return
        if (state === 'running') client.running -= 1
        else reject(new Error('The client has left.'))
        state = 'ended'
        client.waiting.delete(begin)
        next(name, client)
      }
      return { begun, end }
    },
  }
}

/** Runs a task once those before it with the same key have ended. */
type OneAtATime = <T>(key: string, task: () => Promise<T>) => Promise<T>

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
