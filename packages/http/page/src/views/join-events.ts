import type { Event, Page } from '../../../src/client/responses.ts'

type Identified = Pick<Event, 'id'>

/**
 * Returns events after the newest ones were loaded again: those, and what was loaded after them before.
 * Where the two do not meet, the newest ones alone, since there may be others between them.
 */
export function joinEvents<T extends Identified>(
  before: Page<T> | undefined,
  newest: Page<T>,
): Page<T> {
  if (before === undefined || newest.next === null) return newest
  const last = newest.items.at(-1)
  // The newest pages, as far as they were searched, have no event.
  if (last === undefined) return before
  const at = before.items.findIndex(({ id }) => id === last.id)
  const older = at < 0 ? [] : before.items.slice(at + 1)
  return older.length === 0 ? newest : { items: [...newest.items, ...older], next: before.next }
}
