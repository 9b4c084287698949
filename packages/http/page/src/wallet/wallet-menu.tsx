import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Copyable } from '../parts/copyable.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { lazy } from '../parts/lazy.tsx'
import { shortenAccount } from '../text/account.ts'
import { type ConnectedWallet, connectedWallet } from './connected-wallet.ts'

const ConnectChoices = lazy<{ readonly onDone?: () => void }>(
  async () => (await import('./connect-choices.tsx')).ConnectChoices,
)

const TestDollars = lazy<{ readonly onGiven?: () => void }>(
  async () => (await import('./test-dollars.tsx')).TestDollars,
)

/** Shows the connected wallet, or a button to connect one. */
export function WalletMenu(): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const wallet = connectedWallet.value
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

function WalletName({ of }: { readonly of: ConnectedWallet }): JSX.Element {
  return (
    <>
      <span class="unseen">Wallet </span>
      <span class="name">{of.name}</span> <small>{shortenAccount(of.account)}</small>
      {of.isDevelopment && <span class="badge">development</span>}
    </>
  )
}

function Current({ wallet }: { readonly wallet: ConnectedWallet }): JSX.Element {
  const disconnect = async () => (await import('./connect-wallet.ts')).disconnect()
  return (
    <>
      <p>
        {wallet.name} is connected with{' '}
        <Copyable text={wallet.account} shown={shortenAccount(wallet.account)} what="address" />
        {wallet.isDevelopment && ', a development account whose key is public'}.
      </p>
      <TestDollars />
      <p class="buttons">
        <button type="button" onClick={disconnect}>
          Disconnect
        </button>
      </p>
    </>
  )
}
