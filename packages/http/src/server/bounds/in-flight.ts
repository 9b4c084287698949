import { Failure } from '@heirloom/core'

/** Counts amounts in flight, for each client and for all. */
export type InFlight = {
  /**
   * Adds an amount for a client, and returns the function that releases it.
   *
   * @throws `request/too-many` beyond the client's limit, `service/busy` beyond the limit of all
   */
  readonly enter: (client: string, amount: number) => () => void
  /** Adds an amount that cannot be refused any more, and returns the function that releases it. */
  readonly add: (client: string, amount: number) => () => void
  /** Returns the amount in flight, of all clients. */
  readonly total: () => number
}

export declare namespace inFlight {
  type Options = {
    /** The limit for all clients together; 0 for no limit. */
    readonly max: number
    /** The limit for one client; 0 for no limit. */
    readonly maxPerClient: number
    /** The unit that is counted, in the plural, for the failure. */
    readonly what: string
  }
}

/** The `retry-after` of a refused request, in seconds. */
const retryAfterSeconds = 1

/** Returns a bounded counter. An amount of any size is accepted while nothing else is in flight. */
export function inFlight({ max, maxPerClient, what }: inFlight.Options): InFlight {
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
    let held = true
    return () => {
      if (held) move(client, -amount)
      held = false
    }
  }
  const refuse = (client: string, amount: number) => {
    const own = counts.get(client) ?? 0
    if (own > 0 && exceeds(own + amount, maxPerClient)) {
      throw new Failure('request/too-many', { what, limit: maxPerClient, retryAfterSeconds })
    }
    if (total > 0 && exceeds(total + amount, max)) throw new Failure('service/busy', { limit: max })
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

const exceeds = (amount: number, max: number): boolean => max > 0 && amount > max
