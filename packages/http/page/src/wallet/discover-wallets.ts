import { signal } from '@preact/signals'
import type { Announced } from './provider.ts'

/** The wallets of this browser, in the order in which they told of themselves. */
export const announced = signal<readonly Announced[]>([])

/** Asks the wallets of this browser to tell of themselves, now and later (EIP-6963). */
export function discoverWallets(): void {
  addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<unknown>
    if (!isAnnounced(detail)) return
    if (announced.value.some((it) => it.info.uuid === detail.info.uuid)) return
    announced.value = [...announced.value, detail]
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}

function isAnnounced(detail: unknown): detail is Announced {
  const { info, provider } = (detail ?? {}) as Partial<Announced>
  const texts = [info?.uuid, info?.name, info?.rdns, info?.icon]
  return texts.every((it) => typeof it === 'string') && typeof provider?.request === 'function'
}

/** Returns a wallet's icon when it is drawn from itself; what is elsewhere is never fetched. */
export function iconOf({ info }: Announced): string | undefined {
  return info.icon.startsWith('data:image/') ? info.icon : undefined
}
