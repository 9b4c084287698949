import type { JSX } from 'preact'
import { isSame, shortAccount } from '../text/account.ts'
import { connected } from '../wallet/connected-wallet.ts'
import { Copyable } from './copyable.tsx'

/** An account, as short as a person compares it; the whole of it can be copied. */
export function Account({ of }: { readonly of: string }): JSX.Element {
  return (
    <>
      <Copyable text={of} shown={shortAccount(of)} what="address" />
      {isSame(of, connected.value?.account) && <span class="you"> you</span>}
    </>
  )
}
