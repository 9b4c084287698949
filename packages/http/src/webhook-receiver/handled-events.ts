/**
 * The ids of events that were handled. Put them into the database that an event is written to, in one
 * transaction with it, for receivers that are restarted or that are several.
 */
export type HandledEvents = {
  readonly has: (id: string) => boolean | Promise<boolean>
  readonly add: (id: string) => void | Promise<void>
  /** Forgets the events from a block on, which a reorganisation made void. */
  readonly removeFrom: (block: bigint) => void | Promise<void>
}

/** Returns a memory of the last events of this process. */
export function lastEvents(most = 10_000): HandledEvents {
  const ids = new Set<string>()
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      ids.add(id)
      const [oldest] = ids
      if (ids.size > most && oldest !== undefined) ids.delete(oldest)
    },
    removeFrom: (block) => {
      for (const id of ids) if (blockOf(id) >= block) ids.delete(id)
    },
  }
}

/** Returns the block of an event, with which its id begins. */
const blockOf = (id: string): bigint => BigInt(/^\d+/.exec(id)?.[0] ?? 0)
