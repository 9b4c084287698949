import type { Hex } from '@heirloom/core'
import type { SignedPlace } from './signed-place.ts'

/** The creator, the time in seconds since the Unix epoch, and the sha256 of the body. */
type Claim = { readonly account: Hex; readonly timestamp: number; readonly bodyDigest: Hex }

/** Returns the text that a creator signs (EIP-191) to have one body sealed for it by one server. */
export function sealText({ host, chainId, registry }: SignedPlace, claim: Claim): string {
  const { account, timestamp, bodyDigest } = claim
  return `heirloom:seal:${host}:${chainId}:${registry}:${account}:${timestamp}:${bodyDigest}`
}
