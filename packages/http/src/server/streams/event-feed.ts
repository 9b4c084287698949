import type { Catalogue, EventBatch } from '@heirloom/core'

/** Pages of events, for any number of subscribers. */
export type EventFeed = {
  /** Returns a page of the events after one, or from the beginning. @throws `catalogue/unavailable` */
  readonly after: (event: string | undefined) => Promise<EventBatch>
  /** Resolves when there may be more events than at the time of the call. */
  readonly changed: () => Promise<void>
  readonly close: () => void
}

/** The number of events in a page; it is the same for all subscribers, who share the pages. */
export const eventPageSize = 100

/** The largest number of cached pages. */
const maxPages = 1000

/** Returns a feed that reads each page once for all subscribers at the same event. */
export function eventFeed(catalogue: Pick<Catalogue, 'eventsAfter' | 'onChange'>): EventFeed {
  const pages = new Map<string | undefined, Promise<EventBatch>>()
  let change = Promise.withResolvers<void>()
  const unsubscribe = catalogue.onChange(() => {
    pages.clear()
    change.resolve()
    change = Promise.withResolvers()
  })
  const read = (event: string | undefined) => {
    const page = catalogue.eventsAfter(event, eventPageSize)
    const evict = () => {
      if (pages.get(event) === page) pages.delete(event)
    }
    // Subscribers who read old events are rarely at the same event, and their pages are long.
    page.then(({ entries }) => {
      if (entries.length === eventPageSize) evict()
    }, evict)
    if (pages.size >= maxPages) pages.clear()
    pages.set(event, page)
    return page
  }
  return {
    after: (event) => pages.get(event) ?? read(event),
    changed: () => change.promise,
    close: unsubscribe,
  }
}
