import type { PrivateKeyAccount } from 'viem/accounts'
import { bundle } from './bundles.ts'
import type { Sent } from './load.ts'

const json = { 'content-type': 'application/json' }

/** The size of a small memory, in bytes. */
export const smallBundle = 2048

/** Returns the snapshots of some different small memories. */
export function snapshots(count: number, seed: string): readonly Sent[] {
  return Array.from({ length: count }, (_, place) =>
    snapshot(bundle(smallBundle, `${seed} ${place}`)),
  )
}

/** Returns the snapshot of a memory. */
export function snapshot(body: Uint8Array): Sent {
  return { method: 'POST', path: '/api/memory/snapshot', headers: json, body }
}

/** Returns the download of a token, with a signature of its own. */
export async function download(
  wallet: PrivateKeyAccount,
  { tokenId, timestamp = now() }: { readonly tokenId: number; readonly timestamp?: number },
): Promise<Sent> {
  const message = `service:access:${tokenId}:${wallet.address}:${timestamp}`
  const headers = {
    'x-wallet-address': wallet.address,
    'x-wallet-signature': await wallet.signMessage({ message }),
    'x-wallet-timestamp': String(timestamp),
  }
  return { method: 'GET', path: `/api/memory/${tokenId}`, headers }
}

/** The present, in seconds since 1970. */
export const now = (): number => Math.floor(Date.now() / 1000)

/** Returns whole numbers from 1 to `most`, each as likely as any other, the same at every call. */
export function uniform(count: number, most: number): readonly number[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return 1 + Math.floor((state / 2 ** 32) * most)
  })
}
