import type { Hex } from '@heirloom/core'
import { type Binding, boundText } from '../../api/bound-text.ts'

/** Who opens memories; viem's `LocalAccount` fits. */
export type Account = {
  readonly address: Hex
  readonly signMessage: (input: { readonly message: string }) => Promise<Hex>
}

/** For which token and when an account is proven, in milliseconds, and to which server alone. */
type Claim = {
  readonly tokenId: string
  readonly now: number
  readonly binding: Binding | undefined
}

/** Returns the headers that prove an account for a token. */
export async function proofOf(
  { address, signMessage }: Account,
  { tokenId, now, binding }: Claim,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const message =
    binding === undefined
      ? `service:access:${tokenId}:${address}:${timestamp}`
      : boundText(binding, { tokenId, address, timestamp })
  return {
    'x-wallet-address': address,
    'x-wallet-timestamp': `${timestamp}`,
    'x-wallet-signature': await signMessage({ message }),
  }
}
