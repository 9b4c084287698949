import type { JSX } from 'preact'
import { useEnsName } from '../api/ens-names.ts'
import { deployment } from '../deployment.ts'
import { isSameAccount, shortenAccount, shortenName } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { Copyable } from './copyable.tsx'
import { UserText } from './user-text.tsx'

/** Shows an account by its ENS name, or in short form. */
export function AccountText({ of }: { readonly of: string }): JSX.Element {
  const name = useEnsName(of)
  return <UserText of={name === undefined ? shortenAccount(of) : shortenName(name)} />
}

/**
 * Shows an account by its ENS name, or in short form, as a link to its page, and whether it is the
 * visitor's or the server's; the button beside it copies the whole address.
 */
export function Account({ of }: { readonly of: string }): JSX.Element {
  return (
    <>
      <a href={`/account/${of}`} title={of}>
        <AccountText of={of} />
      </a>
      <Copyable text={of} shown={<CopySign />} what="address" />
      <Whose account={of} />
    </>
  )
}

/**
 * Shows an account in short form or whole, without leading away from a dialog; a click copies the
 * address.
 */
export function CopyableAccount({
  of,
  isWhole = false,
}: {
  readonly of: string
  readonly isWhole?: boolean
}): JSX.Element {
  return (
    <>
      <Copyable text={of} shown={isWhole ? of : shortenAccount(of)} what="address" />
      <Whose account={of} />
    </>
  )
}

/** Two sheets, drawn, since few fonts have a sign for a copy. */
function CopySign(): JSX.Element {
  return (
    <svg class="sign" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M6 2h8v9H6zM10 11v3H2V5h4" />
    </svg>
  )
}

function Whose({ account }: { readonly account: string }): JSX.Element | undefined {
  if (isSameAccount(account, connectedWallet.value?.account)) return <span class="you"> you</span>
  if (!isSameAccount(account, deployment.value?.agent)) return undefined
  return <small class="hint"> wallet of this server</small>
}
