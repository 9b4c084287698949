import type { Hex } from '@heirloom/core'
import type { SignedPlace } from './signed-place.ts'

/** The rated token, its rater, the time in seconds since the Unix epoch, and the opinion. */
type Claim = {
  readonly tokenId: string
  readonly account: Hex
  readonly timestamp: number
  readonly score: number
  readonly comment: string
}

/** Returns the text that an account signs (EIP-191) to rate a token on one server. */
export function rateText({ host, chainId, registry }: SignedPlace, claim: Claim): string {
  const { tokenId, account, timestamp, score, comment } = claim
  const opinion = `${score}:${comment}`
  return `heirloom:rate:${host}:${chainId}:${registry}:${tokenId}:${account}:${timestamp}:${opinion}`
}
