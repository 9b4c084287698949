import { Failure } from '../failure.ts'
import type { Account } from './account.ts'
import type { Hex } from './hash.ts'
import { type Instant, toSeconds } from './time.ts'
import type { TokenId } from './token.ts'

/** A claim to be a wallet: the challenge, signed (EIP-191) by that wallet. */
export type Proof = {
  /** The wallet, in its EIP-55 spelling: the challenge contains it letter for letter. */
  readonly account: Account
  /** When it was signed, in whole seconds since the Unix epoch. */
  readonly timestamp: number
  readonly signature: Hex
}

/** How far from now a proof may be dated, either way, in seconds. */
export const proofWindowSeconds = 120

/** Returns the text that a wallet signs to prove itself for one token at one time. */
export function challenge(
  tokenId: TokenId,
  { account, timestamp }: Pick<Proof, 'account' | 'timestamp'>,
): string {
  return `service:access:${tokenId}:${account}:${timestamp}`
}

/** Returns the text of a proof for one token at one time; `challenge` is the interface's own. */
export type Challenge = typeof challenge

/**
 * Refuses a proof dated too far from now, or at no whole second: what compares to nothing would
 * stay fresh for ever. Both are compared in seconds, the resolution of the proof itself.
 *
 * @throws `proof/stale`
 */
export function refuseStale({ timestamp }: Pick<Proof, 'timestamp'>, now: Instant): void {
  const age = toSeconds(now) - timestamp
  const windowSeconds = proofWindowSeconds
  if (Number.isInteger(timestamp) && age <= windowSeconds && age >= -windowSeconds) return
  throw new Failure('proof/stale', { signedAt: timestamp * 1000, now, windowSeconds })
}
