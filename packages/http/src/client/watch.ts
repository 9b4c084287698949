import type { EventStream, EventsOptions } from './events.ts'
import { isHeirloomError } from './heirloom-error.ts'
import type { EventsQuery } from './requests.ts'
import type { StreamEvent } from './responses.ts'

/** The options of a watch: the filters, where it begins, and what it calls. */
export type WatchOptions = EventsQuery &
  Pick<EventsOptions, 'signal' | 'idleTimeout'> & {
    /**
     * Called with one event after the other; the next one waits until it is done. `reorganised` means that
     * all events from its `block` on are void, and that those which replace them follow.
     */
    readonly onEvent: (event: StreamEvent) => void | Promise<void>
  }

/** A watch that is running. */
export type Watch = {
  /** Returns the id of the last event that was handled: store it, and begin `after` it next time. */
  readonly last: () => string | undefined
  /** Resolves once the watch was stopped or aborted; rejects with what `onEvent` throws, or `HeirloomError`. */
  readonly ended: Promise<void>
  /** Ends the watch, after the event that is being handled. */
  readonly stop: () => Promise<void>
}

/** The most ids of events that are remembered, to recognise one that is sent again. */
const mostSeen = 1_000

/** Creates the `watch` call. */
export const createWatch =
  (events: EventStream) =>
  ({ onEvent, signal, idleTimeout, ...query }: WatchOptions): Watch => {
    const stopped = new AbortController()
    const isNew = seenEvents()
    let last = query.after === 'start' ? undefined : query.after
    const ending = signal === undefined ? [stopped.signal] : [signal, stopped.signal]
    const end = AbortSignal.any(ending)
    const handle = async (event: StreamEvent) => {
      if (isNew(event)) await onEvent(event)
      last = event.id
    }
    const run = async () => {
      const options = { signal: end, idleTimeout, waitsForServer: true }
      for await (const event of events(query, options)) {
        if (end.aborted) return
        await handle(event)
      }
    }
    const ended = run().catch((error) => {
      if (!end.aborted || !isHeirloomError(error, 'client/aborted')) throw error
    })
    return {
      last: () => last,
      ended,
      stop: async () => {
        stopped.abort()
        await ended
      },
    }
  }

/** Returns a function that accepts each event once, and again what a reorganisation made void. */
function seenEvents(): (event: StreamEvent) => boolean {
  let seen = new Map<string, bigint>()
  const add = (id: string, block: bigint) => {
    const isNew = !seen.has(id)
    seen.set(id, block)
    const [oldest = id] = seen.keys()
    if (seen.size > mostSeen) seen.delete(oldest)
    return isNew
  }
  return ({ id, kind, block }) => {
    if (kind !== 'reorganised') return add(id, BigInt(block))
    seen = new Map([...seen].filter(([, at]) => at < BigInt(block)))
    return true
  }
}
