import type { PrivateKeyAccount } from 'viem/accounts'
import { bundle } from './bundles.ts'
import type { LoadRequest } from './load.ts'

const json = { 'content-type': 'application/json' }

/** The size of a small memory, in bytes. */
export const smallBundle = 2048

/** Returns snapshot requests of different small memories. */
export function snapshots(count: number, seed: string): readonly LoadRequest[] {
  return Array.from({ length: count }, (_, index) =>
    snapshot(bundle(smallBundle, `${seed} ${index}`)),
  )
}

/** Returns a snapshot request. */
export function snapshot(body: Uint8Array): LoadRequest {
  return { method: 'POST', path: '/api/memory/snapshot', headers: json, body }
}

/** Returns a download request of a token, with its own signature. */
export async function download(
  wallet: PrivateKeyAccount,
  { tokenId, timestamp = now() }: { readonly tokenId: number; readonly timestamp?: number },
): Promise<LoadRequest> {
  const message = `service:access:${tokenId}:${wallet.address}:${timestamp}`
  const headers = {
    'x-wallet-address': wallet.address,
    'x-wallet-signature': await wallet.signMessage({ message }),
    'x-wallet-timestamp': String(timestamp),
  }
  return { method: 'GET', path: `/api/memory/${tokenId}`, headers }
}

/** Returns the current time, in seconds since the Unix epoch. */
export const now = (): number => Math.floor(Date.now() / 1000)

/** Returns uniformly distributed whole numbers from 1 to `max`, the same at every call. */
export function uniform(count: number, max: number): readonly number[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return 1 + Math.floor((state / 2 ** 32) * max)
  })
}
