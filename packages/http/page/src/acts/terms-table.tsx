import { useRead } from '../api/use-resource.ts'
import { Amount } from '../parts/amount.tsx'
import { isSameAccount } from '../text/account.ts'
import type { CurrencyKind } from '../text/amount.ts'
import { formatBps } from '../text/describe-royalties.ts'
import { formatExactTime } from '../text/moment.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import type { Terms } from './listing-terms.ts'

/** Shows the terms of a listing, one row for each way of offering a memory. */
export function TermsTable({ terms }: { readonly terms: Terms }): JSX.Element {
  const { currency, price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  return (
    <table class="sum">
      <caption class="unseen">Terms</caption>
      <tbody>
        <SumRow name="Price">{offered(price, currency)}</SumRow>
        <SumRow name="Rent per day">{offered(rentalPricePerDay, currency)}</SumRow>
        <SumRow name="Fork price">{offered(forkPrice, currency)}</SumRow>
        {forkPrice !== '0' && (
          <SumRow name="Your royalty on forks">{formatBps(forkRoyaltyBps)}</SumRow>
        )}
      </tbody>
    </table>
  )
}

const offered = (price: string, currency: CurrencyKind): JSX.Element =>
  price === '0' ? (
    <span class="hint">Not offered</span>
  ) : (
    <Amount of={price} currency={currency} isDue />
  )

export type SumRowProps = {
  readonly name: string
  readonly kind?: 'total' | 'balance'
  readonly children: JSX.Element | string
}

/** Shows a row of a table of terms or costs. */
export function SumRow({ name, kind, children }: SumRowProps): JSX.Element {
  return (
    <tr class={kind}>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  )
}

type Props = { readonly tokenId: string; readonly days: number | undefined }

/** Returns the rental of a memory that the connected wallet has now, if it has one. */
export function useOwnRental(tokenId: string) {
  const account = connectedWallet.value?.account
  const { value } = useRead('rentals', account === undefined ? undefined : { tokenId })
  if (account === undefined) return undefined
  return value?.items.find(({ renter }) => isSameAccount(renter, account))
}

/** Says until when the connected wallet rents a memory, and until when after some more days. */
export function Extension({ tokenId, days }: Props): JSX.Element | undefined {
  const own = useOwnRental(tokenId)
  return own && <p>{describeExtension(Number(own.expiresAt), days)}</p>
}

const secondsPerDay = 86_400

/**
 * Describes the end of a rental, in seconds, and that after some more days: the contract adds them to
 * the current rental.
 */
export function describeExtension(end: number, days: number | undefined): string {
  const current = `You rent it until ${formatExactTime(end)}`
  if (days === undefined) return `${current}.`
  const more = days === 1 ? '1 more day' : `${days} more days`
  return `${current}; ${more}: until ${formatExactTime(end + days * secondsPerDay)}.`
}
