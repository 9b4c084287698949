import { useEffect, useState } from 'preact/hooks'
import type { Event, Page } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { useResource } from '../api/use-resource.ts'
import { joinEvents } from './join-events.ts'
import { useStoredList } from './use-stored-list.ts'

/** Events of which the first pages are loaded. */
export type LoadedEvents = {
  readonly list?: Page<Event> | undefined
  readonly problem?: Problem | undefined
  readonly loadMore: () => Promise<void>
}

/** The most pages that are searched for one that has an event. */
const mostSearched = 5

/**
 * Loads events page by page, the newest first, and the newest ones again when the chain changes. An
 * entry of the history that is returned to shows at once what it had loaded.
 */
export function useEvents(path: string): LoadedEvents {
  const { list, latest, show } = useStoredList<Page<Event>>(path)
  const [failed, setFailed] = useState<Problem>()
  const { value, problem } = useResource(path, (signal) => readSome(path, '', signal))
  useEffect(() => {
    if (value !== undefined) show(joinEvents(latest.current, value))
  }, [value])
  const loadMore = async () => {
    const before = latest.current
    if (before?.next == null) return
    setFailed(undefined)
    try {
      const { items, next } = await readSome(path, before.next)
      const now = latest.current
      // The pages may have been read anew meanwhile, and end elsewhere.
      if (now?.next === before.next) show({ items: [...now.items, ...items], next })
    } catch (error) {
      setFailed(toProblem(error))
    }
  }
  return { list, problem: problem ?? failed, loadMore }
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
