import type { JSX } from 'preact'
import { useRead } from '../api/use-resource.ts'
import { isSameAccount } from '../text/account.ts'
import { formatExactTime } from '../text/moment.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'

type Props = { readonly tokenId: string; readonly days: number | undefined }

/** Says until when the connected wallet rents a memory, and until when after some more days. */
export function Extension({ tokenId, days }: Props): JSX.Element | undefined {
  const account = connectedWallet.value?.account
  const { value } = useRead('rentals', account === undefined ? undefined : { tokenId })
  const own = value?.items.find(({ renter }) => isSameAccount(renter, account))
  if (own === undefined || account === undefined) return undefined
  return <p>{describeExtension(Number(own.expiresAt), days)}</p>
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
