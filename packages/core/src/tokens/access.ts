import { Failure } from '../failure.ts'
import type { Account, Digest, Hash, Hex, Instant, TokenId } from '../values/branded.ts'
import { sameAccount } from '../values/hex.ts'
import { later, toSeconds } from '../values/time.ts'
import { isActive } from './listing.ts'

/** The rights of one account to a token, as of one block. */
export type Access = {
  readonly owner: Account
  /** The end of the account's rental; absent when it never rented. */
  readonly expiresAt: Instant | undefined
  readonly contentHash: Hash
  readonly digest: Digest
  /**
   * The snapshot at the end of the token's chain of licensed forks; the token itself when it is
   * not a licensed fork.
   */
  readonly source: { readonly tokenId: TokenId; readonly creator: Account }
  /** The time of the block at which this was read. */
  readonly asOf: Instant
}

/** The right by which an account opens a memory. */
export type Right =
  | { readonly kind: 'owner' | 'rental' }
  /** The permission of the owner, with its id and the name that the owner gave it. */
  | { readonly kind: 'grant'; readonly grant: Hex; readonly label: string }

/** The ownership of a token, with the rights of nobody in particular, as of one block. */
export type Holding = Access & {
  /** The number of transfers of the token so far: an owner that sold it and bought it back has another. */
  readonly transferCount: bigint
}

/**
 * Admits the owner and active renters, and returns by which right. Uses the later of the chain's time and the clock's: the
 * time of an idle chain stands still, and a slow clock must not extend a rental.
 *
 * @throws `access/denied`
 */
export function admit(access: Access, tokenId: TokenId, account: Account, now: Instant): Right {
  if (sameAccount(access.owner, account)) return { kind: 'owner' }
  if (isActive(access.expiresAt, later(now, access.asOf))) return { kind: 'rental' }
  throw new Failure('access/denied', { tokenId, account })
}

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
