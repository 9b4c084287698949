import { useState } from 'preact/hooks'
import type { Event, Opening, Page, Rentals, Token } from '../../../src/client/responses.ts'
import { usableWallet } from '../acts/use-act.ts'
import { readNow } from '../api/get-json.ts'
import { useMore, useRun } from '../api/use-answer.ts'
import { type Resource, useRead } from '../api/use-resource.ts'
import { Account } from '../parts/account.tsx'
import { Loading } from '../parts/lazy.tsx'
import { Countdown, Moment } from '../parts/moment.tsx'
import { ProblemNotice, Unread } from '../parts/notice.tsx'
import { ButtonLine, Section } from '../parts/section.tsx'
import { isSameAccount } from '../text/account.ts'
import { formatDay } from '../text/moment.ts'
import { PriceHistory } from '../token/price-history.tsx'
import { EventTable, historyRows } from './event-table.tsx'

/** The events that are read at once. */
const pageLength = 100

/** The rows that are shown at first. */
const mostRows = 20

type Props = { readonly token: Token; readonly rentals: Resource<Rentals> }

/** Shows what happened to a memory, the newest first, what was paid for it, and who rents it now. */
export function History({ token, rentals }: Props): JSX.Element {
  const input = { token: token.tokenId, limit: pageLength }
  const events = useRead('activity', input)
  return (
    <>
      <CurrentRentals of={rentals} />
      <OpenedBy token={token} />
      <Section id="history" title="History">
        {events.isLoading && <Loading />}
        <Unread what="The history" of={events} />
        {events.value !== undefined && (
          <Rows first={events.value} input={input} erasedAt={token.erasedAt} />
        )}
      </Section>
      {events.value !== undefined && <PriceHistory of={events.value} />}
    </>
  )
}

type RowsProps = Pick<Token, 'erasedAt'> & {
  readonly first: Page<Event>
  readonly input: { readonly token: string; readonly limit: number }
}

function Rows({ first, input, erasedAt }: RowsProps): JSX.Element {
  const [most, setMost] = useState(mostRows)
  const read = (after: string) => readNow('activity', { ...input, after })
  const { pages, next, load } = useMore(first, read)
  const events = pages.flatMap(({ items }) => items)
  const rows = historyRows({ events, isWhole: next === undefined, erasedAt })
  const show = async () => {
    if (most >= rows.length) await load()
    setMost(most + pageLength)
  }
  return (
    <>
      <EventTable name="History table" rows={rows.slice(0, most)} isOfMany={false} />
      {(rows.length > most || next !== undefined) && (
        <ButtonLine name="Show earlier" onClick={show} />
      )}
    </>
  )
}

/** Shows the owner who opened the memory, once its wallet has signed. */
function OpenedBy({ token: { tokenId, owner } }: Pick<Props, 'token'>): JSX.Element | undefined {
  const [found, setFound] = useState<Page<Opening>>()
  const { problem, run } = useRun()
  const wallet = usableWallet()
  if (wallet === undefined || !isSameAccount(owner, wallet.account)) return undefined
  const show = async () => {
    const { readOpenings } = await import('../open/download-memory.ts')
    setFound(await readOpenings(tokenId, wallet))
  }
  return (
    <Section id="opened" title="Opened by">
      <ProblemNotice problem={problem} />
      {found === undefined ? (
        <>
          <p class="hint">Sign a message to see it; that costs nothing.</p>
          <ButtonLine name="Show who opened it" onClick={() => run(show)} />
        </>
      ) : (
        <OpeningList of={found} tokenId={tokenId} />
      )}
    </Section>
  )
}

type ListProps = { readonly of: Page<Opening>; readonly tokenId: string }

const scopes = { whole: 'All of it', part: 'A part', search: 'A search' } as const

function OpeningList({ of: { items, next }, tokenId }: ListProps): JSX.Element {
  if (items.length === 0) return <p class="hint">This server has recorded nobody yet.</p>
  return (
    <>
      <ul class="ledger">
        {items.map((it) => (
          <li key={`${it.at} ${it.account} ${it.scope} ${it.grant}`}>
            <span>
              {it.account ? <Account of={it.account} /> : `Renters, on ${formatDay(Number(it.at))}`}
              {it.label !== undefined && it.label !== '' && ` (${it.label})`}
            </span>
            <span>
              {it.scope !== undefined && `${scopes[it.scope]}, `}
              {it.count === 1 ? 'once' : `${it.count} times`}
              {it.account !== undefined && [', ', <Moment key="at" at={it.at} />]}
            </span>
          </li>
        ))}
      </ul>
      {next !== null && <p class="hint">heirloom openings {tokenId} --export has them all.</p>}
    </>
  )
}

function CurrentRentals({ of: rentals }: { readonly of: Resource<Rentals> }) {
  const items = rentals.value?.items ?? []
  if (items.length === 0) return <Unread what="The list of renters" of={rentals} />
  return (
    <Section id="rentals" title="Rented now">
      <ul class="ledger">
        {items.map(({ renter, expiresAt }) => (
          <li key={renter}>
            <span>
              <Account of={renter} />
            </span>
            <span>
              <Countdown at={expiresAt} /> left
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
