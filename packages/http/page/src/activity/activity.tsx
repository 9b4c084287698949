import type { Event, Page } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { addressOf, getJson } from '../api/get-json.ts'
import { type LoadedPages, usePages } from '../browse/use-pages.ts'
import { Select } from '../parts/form-fields.tsx'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { ButtonLine, Welcome } from '../parts/section.tsx'
import { navigate } from '../route.ts'
import { EventTable, groupEvents } from './event-table.tsx'

/** Shows what happens in the market. */
export function Activity({ query }: { readonly query: string }): JSX.Element {
  return (
    <>
      <Welcome title="Activity">
        Mints, listings, sales, rentals, forks and royalties, the newest first.
      </Welcome>
      <section class="mine" aria-label="Events">
        <ActivityList place="/activity" query={query} none="Nothing has happened yet." />
      </section>
    </>
  )
}

type Props = {
  /** The path of the view. */
  readonly place: string
  /** The query of the address of the view, which chooses a kind of events. */
  readonly query: string
  readonly account?: string
  /** The text that is shown where nothing has happened. */
  readonly none: string
}

const limit = 50

/** Shows what happened, newest first; of an account, what names it. */
export function ActivityList({ place, query, ...shown }: Props): JSX.Element {
  const chosen = parseEventChoice(query)
  const choose = (choice: string) =>
    navigate(withQuery(place, { kind: choice === '' ? undefined : choice }), 'stay')
  return (
    <>
      <Select
        label="Kind of event"
        class="field kinds"
        chosen={chosen ?? ''}
        choose={choose}
        options={[
          ['', 'All'],
          ...Object.entries(eventChoices).map(([choice, { name }]) => [choice, name] as const),
        ]}
      />
      <Found key={chosen ?? ''} chosen={chosen} {...shown} />
    </>
  )
}

type FoundProps = Pick<Props, 'account' | 'none'> & { readonly chosen: string | undefined }

function Found({ account, chosen, none }: FoundProps): JSX.Element {
  const kind = eventChoices[chosen ?? '']?.kinds
  const { list, problem, loadMore } = useEvents(addressOf('activity', { account, kind, limit }))
  if (list === undefined) {
    return problem === undefined ? <Loading /> : <ProblemNotice problem={problem} />
  }
  const { items, next } = list
  if (isEmpty(list)) return <p class="hint">{chosen === undefined ? none : 'No such event yet.'}</p>
  const rows = groupEvents(items.filter((it) => !isPart(it)))
  return (
    <>
      <EventTable name="Activity table" rows={rows} isOfMany />
      <ProblemNotice problem={problem} />
      {next !== null && <ButtonLine name="Show earlier" onClick={loadMore} />}
    </>
  )
}

const isEmpty = ({ items, next }: Page<Event>): boolean => items.length === 0 && next === null

/** Returns whether an event is no more than a part of another: a mint also transfers its token. */
const isPart = (event: Event): boolean => event.kind === 'transfer' && event.from === null

type Choice = { readonly name: string; readonly kinds: readonly Event['kind'][] }

/** The kinds of events that a visitor can choose, by the word in the address. */
export const eventChoices: Readonly<Record<string, Choice>> = {
  created: { name: 'Created', kinds: ['mint'] },
  listing: { name: 'Listed and taken down', kinds: ['listing', 'dollar-listing'] },
  sale: { name: 'Sold', kinds: ['sale', 'dollar-sale'] },
  rental: { name: 'Rented', kinds: ['rental', 'dollar-rental'] },
  fork: { name: 'Forked', kinds: ['fork', 'dollar-fork'] },
  royalty: { name: 'Royalties', kinds: ['royalty', 'dollar-royalty'] },
  transfer: { name: 'Transferred', kinds: ['transfer'] },
  card: { name: 'Described', kinds: ['card'] },
  heir: { name: 'Heirs', kinds: ['heir-named', 'heartbeat', 'takeover-announced', 'takeover'] },
}

/** Returns the choice in the query of an address; absent when it has none that exists. */
export function parseEventChoice(search: string): string | undefined {
  const chosen = new URLSearchParams(search).get('kind') ?? ''
  return Object.hasOwn(eventChoices, chosen) ? chosen : undefined
}

/** The most pages that are searched for one that has an event. */
const mostSearched = 5

/** Loads events page by page, the newest first, and the newest ones again when the chain changes. */
function useEvents(path: string): LoadedPages<Event> {
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
    page = await getJson<Page<Event>>(`${path}${cursor}`, { signal: signal ?? null })
    if (page.items.length > 0) return page
  }
  return page
}

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
