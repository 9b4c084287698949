import type { JSX } from 'preact'
import { useRead } from '../api/use-resource.ts'
import { isSameAccount } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { describeExtension } from './describe-extension.ts'

type Props = { readonly tokenId: string; readonly days: number | undefined }

/** Says until when the connected wallet rents a memory, and until when after some more days. */
export function Extension({ tokenId, days }: Props): JSX.Element | undefined {
  const account = connectedWallet.value?.account
  const { value } = useRead('rentals', account === undefined ? undefined : { tokenId })
  const own = value?.items.find(({ renter }) => isSameAccount(renter, account))
  if (own === undefined || account === undefined) return undefined
  return <p>{describeExtension(Number(own.expiresAt), days)}</p>
}
