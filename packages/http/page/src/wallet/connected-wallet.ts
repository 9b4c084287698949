import { signal } from '@preact/signals'
import type { Provider } from './provider.ts'

/** A wallet that lets this page ask it. */
export type Connected = {
  readonly name: string
  /** Checksummed. */
  readonly account: `0x${string}`
  /** The chain it is on now. */
  readonly chainId: number
  readonly provider: Provider
  /** Whether it is the one built into the page, whose keys everybody knows. */
  readonly isDevelopment: boolean
}

export const connected = signal<Connected | undefined>(undefined)
