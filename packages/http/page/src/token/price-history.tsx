import type { Event, Page } from '../../../src/client/responses.ts'
import { currencyOf } from '../api/deployment.ts'
import { Amount } from '../parts/amount.tsx'
import { Moment, now } from '../parts/moment.tsx'
import { Section } from '../parts/section.tsx'
import { Table } from '../parts/table.tsx'
import {
  type Currency,
  type CurrencyKind,
  currencyKinds,
  formatShortAmount,
} from '../text/amount.ts'
import { formatDate } from '../text/moment.ts'
import {
  findOnlyPrice,
  hasPrices,
  PriceChart,
  type PriceSeries,
  type Prices,
  priceSeries,
} from './price-chart.tsx'

/** Shows what a memory was offered and paid for, by its newest events. */
export function PriceHistory({ of }: { readonly of: Page<Event> }): JSX.Element | undefined {
  const series = currencyKinds
    .map((currency) => priceSeries(of.items, currency))
    .filter(({ sale, rent, fork }) => [sale, rent, fork].some(hasPrices))
  if (series.length === 0) return undefined
  return (
    <Section id="prices" title="Price history">
      {series.map((it) => (
        <Series key={it.currency} of={it} />
      ))}
      {of.next !== null && <p class="hint">Of the newest {of.items.length} events.</p>}
    </Section>
  )
}

function Series({ of }: { readonly of: PriceSeries }): JSX.Element {
  return (
    <div class="prices">
      {priceKinds.map((kind) => (
        <PricesOf key={kind} kind={kind} of={of[kind]} currency={of.currency} />
      ))}
      <PriceTable of={of} />
    </div>
  )
}

/** The ways of offering a memory that have a history of prices, and the words and the sign of each. */
const words = {
  sale: { title: 'Sale price', paid: 'sale', unit: '', sign: '●', done: 'Sold' },
  rent: {
    title: 'Rent per day',
    paid: 'rental',
    unit: ' per day',
    sign: '○',
    done: 'Rented, per day',
  },
  fork: { title: 'Fork price', paid: 'fork', unit: ' per fork', sign: '○', done: 'Forked' },
} as const

type PriceKind = keyof typeof words

const priceKinds = ['sale', 'rent', 'fork'] as const

type PricesProps = {
  readonly kind: PriceKind
  readonly of: Prices
  readonly currency: CurrencyKind
}

/** Shows prices as a chart, or in a sentence if there was one price only. */
function PricesOf({ kind, of, currency }: PricesProps): JSX.Element | undefined {
  if (!hasPrices(of)) return undefined
  const { title } = words[kind]
  const mark = kind === 'sale' ? 'sale' : 'rental'
  const only = findOnlyPrice(of)
  return (
    <>
      <h3>{title}</h3>
      {only === undefined ? (
        <figure>
          <PriceChart of={of} currency={currency} mark={mark} now={now.value} />
          <figcaption class="hint">{describeChart(kind, of)}</figcaption>
        </figure>
      ) : (
        <p>{describeOnlyPrice(only, of, { kind, currency: currencyOf(currency) })}</p>
      )}
    </>
  )
}

/** Counts payments: `1 sale`, `3 rentals`. */
function countPaid(kind: PriceKind, { paid: { length } }: Prices): string {
  const one = words[kind].paid
  return length === 1 ? `1 ${one}` : `${length} ${one}s`
}

/** Describes what a chart of prices shows. */
export function describeChart(kind: PriceKind, prices: Prices): string {
  const { unit, sign } = words[kind]
  const parts = [
    prices.requested.length > 0 ? [`Line: asking price${unit}.`] : [],
    prices.paid.length > 0 ? [`${sign} ${countPaid(kind, prices)}.`] : [],
  ]
  return parts.flat().join(' ')
}

/** Describes the only price that was requested and paid, which needs no chart. */
export function describeOnlyPrice(
  only: bigint,
  prices: Prices,
  { kind, currency }: { readonly kind: PriceKind; readonly currency: Currency },
): string {
  const amount = `${formatShortAmount(only, currency)}${words[kind].unit}`
  const last = prices.requested.at(-1)
  const count = prices.paid.length === 0 ? '' : `; ${countPaid(kind, prices)}`
  if (last === undefined) return `Paid: ${amount}${count}.`
  const isOffered = last.price > 0n
  const date = formatDate(last.at)
  return isOffered
    ? `Asking price: ${amount}, unchanged since ${date}${count}.`
    : `Asking price: ${amount}, until ${date}${count}.`
}

/** Shows each price that was requested or paid, once it is opened. */
function PriceTable({ of }: { readonly of: PriceSeries }): JSX.Element {
  return (
    <details>
      <summary>As a table</summary>
      <Table name="Prices" class="history" columns={['Time', 'What', 'Price']}>
        {rowsOf(of).map(({ key, at, what, price }) => (
          <tr key={key}>
            <td>
              <Moment at={`${at}`} />
            </td>
            <td>{what}</td>
            <td>{price === 0n ? '–' : <Amount of={price.toString()} currency={of.currency} />}</td>
          </tr>
        ))}
      </Table>
    </details>
  )
}

function rowsOf(of: PriceSeries) {
  const rows = priceKinds.flatMap((kind) => {
    const { unit, done } = words[kind]
    const offer = (price: bigint) => (price === 0n ? `Not for ${kind} any more` : `Asked${unit}`)
    return [
      ...of[kind].requested.map((it) => ({ ...it, what: offer(it.price) })),
      ...of[kind].paid.map((it) => ({ ...it, what: done })),
    ]
  })
  return rows
    .toSorted((one, other) => other.at - one.at)
    .map((row, index) => ({ ...row, key: `${index}` }))
}
