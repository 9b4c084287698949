import type { JSX } from 'preact'
import { isSameAccount, shortenAccount } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { Copyable } from './copyable.tsx'

/** Shows an account in short form; a click copies the whole address. */
export function Account({ of }: { readonly of: string }): JSX.Element {
  return (
    <>
      <Copyable text={of} shown={shortenAccount(of)} what="address" />
      {isSameAccount(of, connectedWallet.value?.account) && <span class="you"> you</span>}
    </>
  )
}
