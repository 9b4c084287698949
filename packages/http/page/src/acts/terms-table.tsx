import type { JSX } from 'preact'
import { Amount } from '../parts/amount.tsx'
import type { CurrencyKind } from '../text/currency.ts'
import { formatBps } from '../text/describe-split.ts'
import type { Terms } from './listing-terms.ts'

/** Shows the terms of a listing, one row for each way of offering a memory. */
export function TermsTable({ terms }: { readonly terms: Terms }): JSX.Element {
  const { currency, price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  return (
    <table class="sum">
      <caption class="unseen">Terms</caption>
      <tbody>
        <Row name="Price" amount={price} currency={currency} />
        <Row name="Rent per day" amount={rentalPricePerDay} currency={currency} />
        <Row name="Fork price" amount={forkPrice} currency={currency} />
        {forkPrice !== '0' && (
          <tr>
            <th scope="row">Your royalty on forks</th>
            <td>{formatBps(forkRoyaltyBps)}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

type RowProps = {
  readonly name: string
  readonly amount: string
  readonly currency: CurrencyKind
}

function Row({ name, amount, currency }: RowProps): JSX.Element {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {amount === '0' ? (
          <span class="hint">Not offered</span>
        ) : (
          <Amount of={amount} currency={currency} />
        )}
      </td>
    </tr>
  )
}
