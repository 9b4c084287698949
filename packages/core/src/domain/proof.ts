import { Failure } from '../failure.ts'
import type { Account } from './account.ts'
import type { Hex } from './hash.ts'
import { type Instant, toSeconds } from './time.ts'
import type { TokenId } from './token.ts'

/** A proof of control over a wallet: the challenge, signed by this wallet (EIP-191). */
export type Proof = {
  /** The wallet, checksummed (EIP-55), because the challenge contains it letter for letter. */
  readonly account: Account
  /** The time of signing, in whole seconds since the Unix epoch. */
  readonly timestamp: number
  readonly signature: Hex
}

/** The greatest difference between a proof's time and now, in either direction, in seconds. */
export const proofWindowSeconds = 120

/** Returns the text that a wallet signs for access to one token at one time. */
export function challenge(
  tokenId: TokenId,
  { account, timestamp }: Pick<Proof, 'account' | 'timestamp'>,
): string {
  return `service:access:${tokenId}:${account}:${timestamp}`
}

/** A function that returns the text to sign; `challenge` is the one of the interface. */
export type Challenge = typeof challenge

/**
 * Refuses a proof whose time is too far from now, or is not a whole second: `NaN` would never
 * expire. Compares in seconds, the resolution of the proof.
 *
 * @throws `proof/stale`
 */
export function refuseStale({ timestamp }: Pick<Proof, 'timestamp'>, now: Instant): void {
  const age = toSeconds(now) - timestamp
  const windowSeconds = proofWindowSeconds
  if (Number.isInteger(timestamp) && age <= windowSeconds && age >= -windowSeconds) return
  throw new Failure('proof/stale', { signedAt: timestamp * 1000, now, windowSeconds })
}
