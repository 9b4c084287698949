import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Event, Page } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { getJson } from '../api/get-json.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { useResource } from '../api/use-resource.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { navigate } from '../route.ts'
import { eventChoices, parseEventChoice } from './event-filter.ts'
import { EventTable } from './event-table.tsx'

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

/** The most pages that are searched for one that has an event. */
const mostSearched = 5

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
  const path = withQuery('/api/activity', { account, kind, limit })
  const { value, problem } = useResource(path, (signal) => readSome(path, undefined, signal))
  if (value === undefined) {
    return problem === undefined ? <Loading /> : <ProblemNotice problem={problem} />
  }
  if (value.items.length === 0 && value.next === null)
    return <p class="hint">{chosen === undefined ? none : 'No such event yet.'}</p>
  return <Events path={path} first={value} />
}

/** Reads the next page that has an event, as far as is searched at once. */
async function readSome(
  path: string,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Page<Event>> {
  let page: Page<Event> = { items: [], next: after ?? '' }
  for (let count = 0; count < mostSearched && page.next !== null; count += 1) {
    const cursor = page.next === '' ? '' : `&after=${encodeURIComponent(page.next)}`
    page = await getJson<Page<Event>>(`${path}${cursor}`, signal)
    if (page.items.length > 0) return page
  }
  return page
}

/** Returns whether an event is no more than a part of another: a mint also transfers its token. */
const isPart = (event: Event): boolean => event.kind === 'transfer' && event.from === null

function Events({ path, first }: { readonly path: string; readonly first: Page<Event> }) {
  const [more, setMore] = useState<readonly Page<Event>[]>([])
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => setMore([]), [first.next])
  const { next } = more.at(-1) ?? first
  const load = async () => {
    setProblem(undefined)
    await readSome(path, next ?? undefined).then(
      (page) => setMore([...more, page]),
      (error: unknown) => setProblem(toProblem(error)),
    )
  }
  const events = [first, ...more].flatMap(({ items }) => items).filter((it) => !isPart(it))
  return (
    <>
      <EventTable name="Activity table" events={events} isOfMany />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {next !== null && (
        <p class="buttons">
          <button type="button" onClick={load}>
            Show earlier
          </button>
        </p>
      )}
    </>
  )
}
