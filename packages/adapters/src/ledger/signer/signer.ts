import type { Hex } from '@heirloom/core'

/** A signature of secp256k1, with s in the lower half of its range (EIP-2). */
export type Signature = { readonly r: Hex; readonly s: Hex; readonly yParity: number }

/** Signs digests for one account. A wallet needs nothing else of its key. */
export type Signer = {
  /** The account, with its EIP-55 checksum. */
  readonly address: Hex
  /**
   * Signs a digest of 32 bytes.
   *
   * @throws `key-service/unavailable`, `key-service/wrong-key`
   */
  readonly sign: (digest: Uint8Array) => Signature | Promise<Signature>
}
