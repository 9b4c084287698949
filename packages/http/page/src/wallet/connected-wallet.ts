import { signal } from '@preact/signals'
import type { Provider } from './provider.ts'

/** A wallet that is connected to this page. */
export type ConnectedWallet = {
  readonly name: string
  /** Checksummed. */
  readonly account: `0x${string}`
  /** The current chain of the wallet. */
  readonly chainId: number
  readonly provider: Provider
  /** Whether it is the development wallet of the page, whose keys are public. */
  readonly isDevelopment: boolean
}

/** The connected wallet; `undefined` without one. */
export const connectedWallet = signal<ConnectedWallet | undefined>(undefined)
