import { signal } from '@preact/signals'

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
  /** Whether it only signs, so that the relay of the server sends its acts; absent where it sends, too. */
  readonly isRelayed?: boolean
}

/** The connected wallet; `undefined` without one. */
export const connectedWallet = signal<ConnectedWallet | undefined>(undefined)

/** A wallet provider (EIP-1193). */
export type Provider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, call: (value: never) => void): void
  removeListener?(event: string, call: (value: never) => void): void
}

/** An announced wallet (EIP-6963). */
export type AnnouncedWallet = {
  readonly info: {
    readonly uuid: string
    readonly name: string
    readonly icon: string
    readonly rdns: string
  }
  readonly provider: Provider
}

/**
 * Whether the wallet of the last visit is still being reconnected. What looks different with a
 * wallet waits for that, so that nothing moves when it is connected.
 */
export const isReconnecting = signal(localStorage.getItem('heirloom.wallet') !== null)

/** The wallets of this browser, in the order of their announcements. */
export const announcedWallets = signal<readonly AnnouncedWallet[]>([])

/** Discovers the wallets of this browser, now and later (EIP-6963). */
export function discoverWallets(): void {
  addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<unknown>
    if (!isAnnounced(detail)) return
    if (announcedWallets.value.some((it) => it.info.uuid === detail.info.uuid)) return
    announcedWallets.value = [...announcedWallets.value, detail]
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}

function isAnnounced(detail: unknown): detail is AnnouncedWallet {
  const { info, provider } = (detail ?? {}) as Partial<AnnouncedWallet>
  const texts = [info?.uuid, info?.name, info?.rdns, info?.icon]
  return texts.every((it) => typeof it === 'string') && typeof provider?.request === 'function'
}

/** Returns a wallet's icon if it is embedded as data; other icons are never loaded. */
export function getIcon({ info }: AnnouncedWallet): string | undefined {
  return info.icon.startsWith('data:image/') ? info.icon : undefined
}
