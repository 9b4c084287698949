import { Failure } from '@heirloom/core'

/** Counts what is under way, for each client and for all. */
export type InFlight = {
  /**
   * Counts so much more for a client, and returns what counts it no more.
   *
   * @throws `request/too-many` where the client has its share, `service/busy` where nothing is left
   */
  readonly enter: (client: string, amount: number) => () => void
  /** The same for what is there already, and so cannot be refused. */
  readonly add: (client: string, amount: number) => () => void
  /** Returns how much is under way. */
  readonly total: () => number
}

export declare namespace inFlight {
  type Options = {
    /** The most for all clients together; 0 for anything. */
    readonly most: number
    /** The most for one client; 0 for anything. */
    readonly mostPerClient: number
    /** Names what is counted, in the plural. */
    readonly what: string
  }
}

/** How soon a client that was refused may come back, in seconds. */
const soon = 1

/** Returns a bounded amount. Something of any size is let in where nothing else is under way. */
export function inFlight({ most, mostPerClient, what }: inFlight.Options): InFlight {
  const counts = new Map<string, number>()
  let total = 0
  const move = (client: string, change: number) => {
    const count = (counts.get(client) ?? 0) + change
    total += change
    if (count === 0) counts.delete(client)
    else counts.set(client, count)
  }
  const add = (client: string, amount: number) => {
    move(client, amount)
    let entered = true
    return () => {
      if (entered) move(client, -amount)
      entered = false
    }
  }
  const refuse = (client: string, amount: number) => {
    const own = counts.get(client) ?? 0
    if (own > 0 && passes(own + amount, mostPerClient)) {
      const facts = { what, limit: mostPerClient, retryAfterSeconds: soon }
      throw new Failure('request/too-many', facts)
    }
    if (total > 0 && passes(total + amount, most))
      throw new Failure('service/busy', { limit: most })
  }
  return {
    total: () => total,
    add,
    enter: (client, amount) => {
      refuse(client, amount)
      return add(client, amount)
    },
  }
}

const passes = (amount: number, most: number): boolean => most > 0 && amount > most
