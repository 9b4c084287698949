import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Copyable } from '../parts/copyable.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { lazy } from '../parts/lazy.tsx'
import { shortAccount } from '../text/account.ts'
import { type Connected, connected } from './connected-wallet.ts'

const ConnectChoices = lazy<{ readonly onDone?: () => void }>(
  async () => (await import('./connect-choices.tsx')).ConnectChoices,
)

/** The wallet in the head of the page: to connect one, or to see which one is. */
export function WalletMenu(): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const wallet = connected.value
  return (
    <>
      <button
        type="button"
        class={wallet === undefined ? 'main' : 'wallet'}
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
      >
        {wallet === undefined ? 'Connect wallet' : <WalletName of={wallet} />}
      </button>
      {isOpen && (
        <Dialog title="Wallet" onClose={() => setOpen(false)}>
          {wallet !== undefined && <Current wallet={wallet} />}
          {wallet !== undefined && <h3>Connect another</h3>}
          <ConnectChoices onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

function WalletName({ of }: { readonly of: Connected }): JSX.Element {
  return (
    <>
      <span class="unseen">Wallet </span>
      <span class="name">{of.name}</span> <small>{shortAccount(of.account)}</small>
      {of.isDevelopment && <span class="badge">development</span>}
    </>
  )
}

function Current({ wallet }: { readonly wallet: Connected }): JSX.Element {
  const leave = async () => (await import('./connect-wallet.ts')).disconnect()
  return (
    <>
      <p>
        {wallet.name} is connected with{' '}
        <Copyable text={wallet.account} shown={shortAccount(wallet.account)} what="address" />
        {wallet.isDevelopment && ', a development account whose key everybody has'}.
      </p>
      <p class="buttons">
        <button type="button" onClick={leave}>
          Disconnect
        </button>
      </p>
    </>
  )
}
