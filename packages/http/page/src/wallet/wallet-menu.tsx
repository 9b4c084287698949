import { useState } from 'preact/hooks'
import { deployment } from '../api/deployment.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { lazy } from '../parts/lazy.tsx'
import { ButtonLine } from '../parts/section.tsx'
import { shortenAccount } from '../text/account.ts'
import { type ConnectedWallet, connectedWallet } from './connected-wallet.ts'

const ConnectChoices = lazy<{ readonly onDone?: () => void }>(
  async () => (await import('./connect-choices.tsx')).ConnectChoices,
)

const Balances = lazy(async () => (await import('./test-dollars.tsx')).Balances)

const WrongChain = lazy(async () => (await import('./wrong-chain.tsx')).WrongChain)

const isElsewhere = ({ chainId }: ConnectedWallet): boolean =>
  deployment.value !== undefined && chainId !== deployment.value.chainId

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
        {wallet === undefined ? (
          <>
            Connect<span> wallet</span>
          </>
        ) : (
          <WalletName of={wallet} />
        )}
      </button>
      {isOpen && (
        <Dialog title="Wallet" onClose={() => setOpen(false)}>
          <Wallets onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

/** Shows the connected wallet, that it was disconnected here, and the wallets to connect. */
function Wallets({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const wallet = connectedWallet.value
  const [isDisconnected, setDisconnected] = useState(false)
  const disconnect = async () => {
    ;(await import('./connect-wallet.ts')).disconnect()
    setDisconnected(true)
  }
  return (
    <>
      {wallet !== undefined && <Current wallet={wallet} disconnect={disconnect} />}
      <p role="status">{wallet === undefined && isDisconnected && 'The wallet is disconnected.'}</p>
      {wallet !== undefined && <h3>Connect another</h3>}
      <ConnectChoices onDone={onDone} />
    </>
  )
}

function WalletName({ of }: { readonly of: ConnectedWallet }): JSX.Element {
  return (
    <>
      <span class="unseen">Wallet </span>
      <span class="name">{of.name}</span> <small>{shortenAccount(of.account)}</small>
      {of.isDevelopment && <span class="badge">play wallet</span>}
      {isElsewhere(of) && <span class="badge copied">other chain</span>}
    </>
  )
}

type CurrentProps = { readonly wallet: ConnectedWallet; readonly disconnect: () => void }

function Current({ wallet, disconnect }: CurrentProps): JSX.Element {
  return (
    <>
      <p>
        {wallet.name} is connected
        {wallet.isDevelopment && ': a play wallet of this test chain, whose key everybody knows'}.
      </p>
      <p>
        Address{' '}
        <Copyable text={wallet.account} shown={shortenAccount(wallet.account)} what="address" />
      </p>
      {isElsewhere(wallet) ? <WrongChain /> : <Balances wallet={wallet} />}
      <TestDollars />
      <ButtonLine name="Disconnect" onClick={disconnect} />
    </>
  )
}
