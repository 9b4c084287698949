import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Event, Page, Token } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { useRead } from '../api/use-resource.ts'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Section } from '../parts/section.tsx'
import { EventTable, historyRows } from './event-table.tsx'

const pageLength = 50

/** Shows the history of a memory, oldest event first, and when the memory was erased. */
export function History({
  token: { tokenId, erasedAt },
}: {
  readonly token: Pick<Token, 'tokenId' | 'erasedAt'>
}): JSX.Element {
  const input = { tokenId, limit: pageLength }
  const { value, problem } = useRead('history', input)
  return (
    <Section id="history" title="History">
      {value === undefined && problem === undefined && <Loading />}
      <ProblemNotice problem={problem} />
      {value !== undefined && <Table first={value} input={input} erasedAt={erasedAt} />}
    </Section>
  )
}

type TableProps = Pick<Token, 'erasedAt'> & {
  readonly first: Page<Event>
  readonly input: { readonly tokenId: string; readonly limit: number }
}

function Table({ first, input, erasedAt }: TableProps): JSX.Element {
  const [more, setMore] = useState<readonly Page<Event>[]>([])
  useEffect(() => setMore([]), [first.next])
  const { next } = more.at(-1) ?? first
  const load = async () => {
    const page = await readNow('history', { ...input, after: next ?? '' })
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
