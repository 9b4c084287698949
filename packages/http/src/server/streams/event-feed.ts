import type { Catalogue, EventBatch } from '@heirloom/core'

/** What happens, for any number of listeners. */
export type EventFeed = {
  /** Returns a page of what happened after an event, or from the beginning. @throws `catalogue/unavailable` */
  readonly after: (event: string | undefined) => Promise<EventBatch>
  /** Resolves when there may be more to tell than at the time of the call. */
  readonly changed: () => Promise<void>
  readonly close: () => void
}

/** How many events are asked for at a time: all listeners read the same pages. */
export const pageOfEvents = 100

/** How many answers are shared at most. */
const mostShared = 1000

/** Returns a feed that asks the catalogue once for all listeners who are at the same place. */
export function eventFeed(catalogue: Pick<Catalogue, 'happened' | 'onChange'>): EventFeed {
  const shared = new Map<string | undefined, Promise<EventBatch>>()
  let change = Promise.withResolvers<void>()
  const end = catalogue.onChange(() => {
    shared.clear()
    change.resolve()
    change = Promise.withResolvers()
  })
  const ask = (event: string | undefined) => {
    const answer = catalogue.happened(event, pageOfEvents)
    const forget = () => {
      if (shared.get(event) === answer) shared.delete(event)
    }
    // Those who read old events are hardly ever at the same place, and their pages are long.
    answer.then(({ entries }) => {
      if (entries.length === pageOfEvents) forget()
    }, forget)
    if (shared.size >= mostShared) shared.clear()
    shared.set(event, answer)
    return answer
  }
  return {
    after: (event) => shared.get(event) ?? ask(event),
    changed: () => change.promise,
    close: end,
  }
}
