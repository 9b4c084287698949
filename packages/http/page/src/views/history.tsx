import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Event, Page } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Loading } from '../parts/lazy.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { shortenHash } from '../text/account.ts'
import { EventDescription } from './event-description.tsx'

const pageLength = 50

/** Shows the history of a memory, oldest event first. */
export function History({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const path = withQuery(`/api/memory/${tokenId}/history`, { limit: pageLength })
  const { value, problem } = useResource(path, (signal) => getJson<Page<Event>>(path, signal))
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {value === undefined && problem === undefined && <Loading />}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value !== undefined && <Table first={value} path={path} />}
    </section>
  )
}

function Table({ first, path }: { first: Page<Event>; path: string }): JSX.Element {
  const [more, setMore] = useState<readonly Page<Event>[]>([])
  useEffect(() => setMore([]), [first.next])
  const { next } = more.at(-1) ?? first
  const load = async () => {
    const page = await getJson<Page<Event>>(`${path}&after=${encodeURIComponent(next ?? '')}`)
    setMore([...more, page])
  }
  return (
    <ScrollArea class="scroll" name="History table">
      <table class="history">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Time</th>
            <th scope="col">Block</th>
            <th scope="col">Transaction</th>
          </tr>
        </thead>
        <tbody>
          {[first, ...more].flatMap(({ items }) =>
            items.map((it) => <Row key={it.id} event={it} />),
          )}
        </tbody>
      </table>
      {next !== null && (
        <button type="button" onClick={load}>
          Show more
        </button>
      )}
    </ScrollArea>
  )
}

function Row({ event }: { readonly event: Event }): JSX.Element {
  const { timestamp, block, txHash } = event
  return (
    <tr>
      <td>
        <EventDescription event={event} />
      </td>
      <td>
        <Moment at={timestamp} />
      </td>
      <td>{block}</td>
      <td>
        <Copyable text={txHash} shown={shortenHash(txHash).slice(0, 13)} what="transaction" />
      </td>
    </tr>
  )
}
