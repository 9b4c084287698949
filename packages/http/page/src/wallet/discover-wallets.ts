import { signal } from '@preact/signals'
import type { AnnouncedWallet } from './provider.ts'

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
