import type { JSX } from 'preact'
import type { Event, Page, Token } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { now } from '../now.ts'
import { Account } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Moment } from '../parts/moment.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import type { CurrencyKind } from '../text/currency.ts'
import { type PriceSeries, priceSeries } from '../text/price-series.ts'
import { PriceChart } from './price-chart.tsx'

/** The newest events that are read for the series. */
const mostEvents = 100

/** Shows what a memory was offered and paid for, and who rented it lately. */
export function PriceHistory({ token }: { readonly token: Token }): JSX.Element | undefined {
  const path = withQuery('/api/activity', { token: token.tokenId, limit: mostEvents })
  const { value } = useResource(path, (signal) => getJson<Page<Event>>(path, signal))
  const series = (['native', 'dollar'] as const)
    .map((currency) => priceSeries(value?.items ?? [], currency))
    .filter(({ requested, sales, rentals }) => requested.length + sales.length + rentals.length > 0)
  if (value === undefined || series.length === 0) return undefined
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">Price history</h2>
      {series.map((it) => (
        <Series key={it.currency} of={it} />
      ))}
      {value.next !== null && <p class="hint">Of the newest {mostEvents} events.</p>}
      <LastRenters events={value.items} />
    </section>
  )
}

function Series({ of }: { readonly of: PriceSeries }): JSX.Element {
  return (
    <figure class="prices">
      <PriceChart of={of} now={now.value} />
      <figcaption class="hint">
        The line is the price requested; ● sales: {of.sales.length}, ○ rentals: {of.rentals.length}.
      </figcaption>
      <details>
        <summary>As a table</summary>
        <ScrollArea class="scroll" name="Prices">
          <table class="history">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">What</th>
                <th scope="col">Price</th>
              </tr>
            </thead>
            <tbody>
              {rowsOf(of).map(({ key, at, what, price }) => (
                <tr key={key}>
                  <td>
                    <Moment at={`${at}`} />
                  </td>
                  <td>{what}</td>
                  <td>
                    <Amount of={price.toString()} currency={of.currency} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      </details>
    </figure>
  )
}

function rowsOf({ requested, sales, rentals }: PriceSeries) {
  const rows = [
    ...requested.map((it) => ({
      ...it,
      what: it.price === 0n ? 'Not for sale any more' : 'Asked',
    })),
    ...sales.map((it) => ({ ...it, what: 'Sold' })),
    ...rentals.map((it) => ({ ...it, what: 'Rented, in all' })),
  ]
  return rows
    .toSorted((one, other) => other.at - one.at)
    .map((row, index) => ({ ...row, key: `${index}` }))
}

/** The days of what was lately, in seconds. */
const lately = 30 * 86_400

/** The most rentals that are named. */
const mostRenters = 5

function LastRenters({ events }: { readonly events: readonly Event[] }): JSX.Element | undefined {
  const rentals = events.filter(({ kind }) => kind === 'rental' || kind === 'dollar-rental')
  if (rentals.length === 0) return undefined
  const since = now.value - lately
  const recent = rentals.filter(({ timestamp }) => Number(timestamp) >= since).length
  return (
    <>
      <h3>Last rented by</h3>
      <p class="hint">
        {recent === 1 ? 'Rented once' : `Rented ${recent} times`} in the last 30 days.
      </p>
      <ul class="ledger">
        {rentals.slice(0, mostRenters).map((event) => (
          <LastRenter key={event.id} event={event} />
        ))}
      </ul>
    </>
  )
}

function LastRenter({ event }: { readonly event: Event }): JSX.Element | undefined {
  if (event.kind !== 'rental' && event.kind !== 'dollar-rental') return undefined
  const currency: CurrencyKind = event.kind === 'rental' ? 'native' : 'dollar'
  return (
    <li>
      <span>
        <Account of={event.renter} /> for <Amount of={event.paid} currency={currency} />
      </span>
      <Moment at={event.timestamp} />
    </li>
  )
}
