import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Event, Page, Token } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { EventTable } from './event-table.tsx'
import { historyRows } from './history-rows.ts'

const pageLength = 50

/** Shows the history of a memory, oldest event first, and when the memory was erased. */
export function History({
  token: { tokenId, erasedAt },
}: {
  readonly token: Pick<Token, 'tokenId' | 'erasedAt'>
}): JSX.Element {
  const path = withQuery(`/api/memory/${tokenId}/history`, { limit: pageLength })
  const { value, problem } = useResource(path, (signal) => getJson<Page<Event>>(path, signal))
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {value === undefined && problem === undefined && <Loading />}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value !== undefined && <Table first={value} path={path} erasedAt={erasedAt} />}
    </section>
  )
}

type TableProps = Pick<Token, 'erasedAt'> & {
  readonly first: Page<Event>
  readonly path: string
}

function Table({ first, path, erasedAt }: TableProps): JSX.Element {
  const [more, setMore] = useState<readonly Page<Event>[]>([])
  useEffect(() => setMore([]), [first.next])
  const { next } = more.at(-1) ?? first
  const load = async () => {
    const page = await getJson<Page<Event>>(`${path}&after=${encodeURIComponent(next ?? '')}`)
    setMore([...more, page])
  }
  const events = [first, ...more].flatMap(({ items }) => items)
  return (
    <>
      <EventTable
        name="History table"
        rows={historyRows({ events, isWhole: next === null, erasedAt })}
        isOfMany={false}
      />
      {next !== null && (
        <button type="button" onClick={load}>
          Show more
        </button>
      )}
    </>
  )
}
