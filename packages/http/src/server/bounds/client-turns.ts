/** The turns of clients: each has a few at once, and its others wait in order. */
export type ClientTurns = {
  /** Waits for a turn of a client. */
  readonly take: (client: string) => Turn
}

/** A turn, or the wait for it. */
export type Turn = {
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
