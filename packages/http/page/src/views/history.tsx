import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Event, Page } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { ask } from '../api/request.ts'
import { useAsked } from '../api/use-resource.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Waiting } from '../parts/lazy.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Scrolling } from '../parts/scroll-area.tsx'
import { shortHash } from '../text/account.ts'
import { Happened } from './event-description.tsx'

const pageLength = 50

/** All that happened to a memory, oldest first. */
export function History({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const path = withQuery(`/api/memory/${tokenId}/history`, { limit: pageLength })
  const { value, problem } = useAsked(path, (signal) => ask<Page<Event>>(path, signal))
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {value === undefined && problem === undefined && <Waiting />}
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
    const page = await ask<Page<Event>>(`${path}&after=${encodeURIComponent(next ?? '')}`)
    setMore([...more, page])
  }
  return (
    <Scrolling class="scroll" name="History, as a table">
      <table class="history">
        <thead>
          <tr>
            <th scope="col">What happened</th>
            <th scope="col">When</th>
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
    </Scrolling>
  )
}

function Row({ event }: { readonly event: Event }): JSX.Element {
  const { timestamp, block, txHash } = event
  return (
    <tr>
      <td>
        <Happened event={event} />
      </td>
      <td>
        <Moment at={timestamp} />
      </td>
      <td>{block}</td>
      <td>
        <Copyable text={txHash} shown={shortHash(txHash).slice(0, 13)} what="transaction" />
      </td>
    </tr>
  )
}
