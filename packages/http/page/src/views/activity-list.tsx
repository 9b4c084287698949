import type { JSX } from 'preact'
import type { Event, Page } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { addressOf } from '../api/address-of.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { navigate } from '../route.ts'
import { eventChoices, parseEventChoice } from './event-filter.ts'
import { EventTable } from './event-table.tsx'
import { groupEvents } from './group-events.ts'
import { type LoadedEvents, useEvents } from './use-events.ts'

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
      <label class="field kinds">
        <span>Kind of event</span>
        <select value={chosen ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">All</option>
          {Object.entries(eventChoices).map(([choice, { name }]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Found key={chosen ?? ''} chosen={chosen} {...shown} />
    </>
  )
}

type FoundProps = Pick<Props, 'account' | 'none'> & { readonly chosen: string | undefined }

function Found({ account, chosen, none }: FoundProps): JSX.Element {
  const kind = chosen === undefined ? undefined : eventChoices[chosen]?.kinds
  const loaded = useEvents(addressOf('activity', { account, kind, limit }))
  const { list, problem } = loaded
  if (list === undefined) {
    return problem === undefined ? <Loading /> : <ProblemNotice problem={problem} />
  }
  if (list.items.length === 0 && list.next === null)
    return <p class="hint">{chosen === undefined ? none : 'No such event yet.'}</p>
  return <Events loaded={{ ...loaded, list }} />
}

/** Returns whether an event is no more than a part of another: a mint also transfers its token. */
const isPart = (event: Event): boolean => event.kind === 'transfer' && event.from === null

type EventsProps = { readonly loaded: LoadedEvents & { readonly list: Page<Event> } }

function Events({ loaded: { list, problem, loadMore } }: EventsProps): JSX.Element {
  const events = list.items.filter((it) => !isPart(it))
  return (
    <>
      <EventTable name="Activity table" rows={groupEvents(events)} isOfMany />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {list.next !== null && (
        <p class="buttons">
          <button type="button" onClick={loadMore}>
            Show earlier
          </button>
        </p>
      )}
    </>
  )
}
