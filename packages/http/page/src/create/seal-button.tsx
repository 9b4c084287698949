import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Notice } from '../parts/notice.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { WalletMenu } from '../wallet/wallet-menu.tsx'

type ButtonProps = {
  readonly isReady: boolean
  readonly seal: () => void
  readonly isRepeated: boolean
}

/** Seals at once for a connected wallet, and asks first when the memory would not be the visitor's. */
export function SealButton({ isReady, seal, isRepeated }: ButtonProps): JSX.Element {
  const [isConfirming, setConfirming] = useState(false)
  const hasWallet = connectedWallet.value !== undefined
  const text = isRepeated ? 'Try again' : 'Seal and mint'
  if (hasWallet) {
    return (
      <button type="button" class="main" disabled={!isReady} onClick={seal}>
        {text}
      </button>
    )
  }
  if (isConfirming)
    return <ServerMint isReady={isReady} seal={seal} cancel={() => setConfirming(false)} />
  return (
    <p class="buttons">
      <WalletMenu />
      <button type="button" disabled={!isReady} onClick={() => setConfirming(true)}>
        {text}
      </button>
    </p>
  )
}

type ServerMintProps = Pick<ButtonProps, 'isReady' | 'seal'> & { readonly cancel: () => void }

/** Asks whether a memory may be minted that its visitor can never open. */
function ServerMint({ isReady, seal, cancel }: ServerMintProps): JSX.Element {
  return (
    <Notice kind="warn">
      <p role="alert">
        <strong>This memory would not be yours.</strong> Its owner would be the wallet of this
        server: you could never open it, list it or pass it on, and that cannot be changed later.
      </p>
      <p class="buttons">
        <WalletMenu />
        <button type="button" disabled={!isReady} onClick={seal}>
          Mint it to the wallet of this server
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </p>
    </Notice>
  )
}
