import type { Event, Page } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { joinEvents } from './join-events.ts'
import { type LoadedPages, usePages } from './use-pages.ts'

/** Events of which the first pages are loaded. */
export type LoadedEvents = LoadedPages<Event>

/** The most pages that are searched for one that has an event. */
const mostSearched = 5

/** Loads events page by page, the newest first, and the newest ones again when the chain changes. */
export function useEvents(path: string): LoadedEvents {
  return usePages<Event>(path, {
    readFirst: (_, signal) => readSome(path, '', signal),
    join: joinEvents,
    readNext: (after) => readSome(path, after),
    add: (list, { items, next }) => ({ items: [...list.items, ...items], next }),
  })
}

/** Reads the next page that has an event, as far as is searched at once. */
async function readSome(path: string, after: string, signal?: AbortSignal): Promise<Page<Event>> {
  let page: Page<Event> = { items: [], next: after }
  for (let count = 0; count < mostSearched && page.next !== null; count += 1) {
    const cursor = page.next === '' ? '' : `&after=${encodeURIComponent(page.next)}`
    page = await getJson<Page<Event>>(`${path}${cursor}`, signal)
    if (page.items.length > 0) return page
  }
  return page
}
