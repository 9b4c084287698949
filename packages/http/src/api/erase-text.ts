import type { Hex } from '@heirloom/core'
import type { SignedPlace } from './signed-place.ts'

/** The token, its owner, and the time in seconds since the Unix epoch. */
type Claim = { readonly tokenId: string; readonly account: Hex; readonly timestamp: number }

/** Returns the text that an owner signs (EIP-191) to have the memory of one token erased by one server. */
export function eraseText({ host, chainId, registry }: SignedPlace, claim: Claim): string {
  const { tokenId, account, timestamp } = claim
  return `heirloom:erase:${host}:${chainId}:${registry}:${tokenId}:${account}:${timestamp}`
}
