import type { JSX } from 'preact'
import { Amount } from '../parts/amount.tsx'
import { formatBps } from '../text/describe-split.ts'
import type { Terms } from './act.ts'

/** Shows the terms of a listing, one row for each way of offering a memory. */
export function TermsTable({ terms }: { readonly terms: Terms }): JSX.Element {
  const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  return (
    <table class="sum">
      <caption class="unseen">Terms</caption>
      <tbody>
        <Row name="Price" wei={price} />
        <Row name="Rent per day" wei={rentalPricePerDay} />
        <Row name="Fork price" wei={forkPrice} />
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

function Row({ name, wei }: { readonly name: string; readonly wei: string }): JSX.Element {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{wei === '0' ? <span class="hint">Not offered</span> : <Amount wei={wei} />}</td>
    </tr>
  )
}
