import type { Hex } from '@heirloom/core'
import { type Binding, boundText } from '../../api/bound-text.ts'

/** An account that signs access proofs; viem's `LocalAccount` has this type. */
export type Account = {
  /** The address of the account. */
  readonly address: Hex
  /** Signs a text as `personal_sign` does (ERC-191). */
  readonly signMessage: (input: { readonly message: string }) => Promise<Hex>
}

/** The claim of an access proof: the token, the time in milliseconds, and the server it is for. */
type Claim = {
  readonly tokenId: string
  readonly now: number
  readonly binding: Binding | undefined
}

/** Signs an access proof, and returns its request headers. */
export async function createAccessProof(
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
