import type { JSX } from 'preact'
import type { Token } from '../../../src/client/responses.ts'
import { lazy } from '../parts/lazy.tsx'
import { isSameAccount } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { ListForm } from './list-form.tsx'

const TransferForm = lazy<{ readonly tokenId: string }>(
  async () => (await import('./transfer-form.tsx')).TransferForm,
)

const EraseForm = lazy<{ readonly tokenId: string }>(
  async () => (await import('./erase-form.tsx')).EraseForm,
)

/** Returns whether the connected wallet owns a memory. */
export const isOwn = ({ owner }: Pick<Token, 'owner'>): boolean =>
  isSameAccount(owner, connectedWallet.value?.account)

/** Shows what only the owner of a memory does with it: list, transfer and erase it. */
export function OwnerPanel({ token }: { readonly token: Token }): JSX.Element | undefined {
  if (!isOwn(token)) return undefined
  const isErased = token.erasedAt !== null
  return (
    <section class="panel owned" aria-labelledby="owned">
      <h2 id="owned" tabIndex={-1}>
        Your memory
      </h2>
      {!isErased && <ListForm token={token} />}
      <TransferForm tokenId={token.tokenId} />
      {!isErased && <EraseForm tokenId={token.tokenId} />}
    </section>
  )
}
