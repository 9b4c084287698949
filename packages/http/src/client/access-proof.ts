import type { Hex } from '@heirloom/core'

/** Who opens memories; viem's `LocalAccount` fits. */
export type Account = {
  readonly address: Hex
  readonly signMessage: (input: { readonly message: string }) => Promise<Hex>
}

/** Returns the headers that prove an account for a token. */
export async function proofOf(
  { address, signMessage }: Account,
  tokenId: string,
  now: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000))
  const message = `service:access:${tokenId}:${address}:${timestamp}`
  return {
    'x-wallet-address': address,
    'x-wallet-timestamp': timestamp,
    'x-wallet-signature': await signMessage({ message }),
  }
}
