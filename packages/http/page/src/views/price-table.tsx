import type { JSX } from 'preact'
import { Amount } from '../parts/amount.tsx'
import { Moment } from '../parts/moment.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import type { PricePoint, PriceSeries } from '../text/price-series.ts'

/** Shows each price that was requested or paid, once it is opened. */
export function PriceTable({ of }: { readonly of: PriceSeries }): JSX.Element {
  return (
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
                  {price === 0n ? '–' : <Amount of={price.toString()} currency={of.currency} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}

function rowsOf({ sale, rent, fork }: PriceSeries) {
  const named = (what: string, points: readonly PricePoint[], end = what) =>
    points.map((it) => ({ ...it, what: it.price === 0n ? end : what }))
  const rows = [
    ...named('Asked', sale.requested, 'Not for sale any more'),
    ...named('Sold', sale.paid),
    ...named('Asked per day', rent.requested, 'Not for rent any more'),
    ...named('Rented, per day', rent.paid),
    ...named('Asked per fork', fork.requested, 'Not for fork any more'),
    ...named('Forked', fork.paid),
  ]
  return rows
    .toSorted((one, other) => other.at - one.at)
    .map((row, index) => ({ ...row, key: `${index}` }))
}
