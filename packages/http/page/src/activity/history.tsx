import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Event, Page, Rentals, Token } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { type Resource, useRead } from '../api/use-resource.ts'
import { Account } from '../parts/account.tsx'
import { Loading } from '../parts/lazy.tsx'
import { Countdown } from '../parts/moment.tsx'
import { Unread } from '../parts/notice.tsx'
import { ButtonLine, Section } from '../parts/section.tsx'
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
  const [more, setMore] = useState<readonly Page<Event>[]>([])
  const [most, setMost] = useState(mostRows)
  useEffect(() => setMore([]), [first.next])
  const { next } = more.at(-1) ?? first
  const events = [first, ...more].flatMap(({ items }) => items)
  const rows = historyRows({ events, isWhole: next === null, erasedAt })
  const show = async () => {
    if (most >= rows.length) {
      const page = await readNow('activity', { ...input, after: next ?? '' })
      setMore([...more, page])
    }
    setMost(most + pageLength)
  }
  return (
    <>
      <EventTable name="History table" rows={rows.slice(0, most)} isOfMany={false} />
      {(rows.length > most || next !== null) && <ButtonLine name="Show earlier" onClick={show} />}
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
