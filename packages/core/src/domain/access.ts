import { Failure } from '../failure.ts'
import { type Account, sameAccount } from './account.ts'
import type { Digest, Hash } from './hash.ts'
import { isActive } from './rental.ts'
import { type Instant, later } from './time.ts'
import type { TokenId } from './token.ts'

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

/**
 * Admits the owner and active renters. Uses the later of the chain's time and the clock's: the
 * time of an idle chain stands still, and a slow clock must not extend a rental.
 *
 * @throws `access/denied`
 */
export function admit(access: Access, tokenId: TokenId, account: Account, now: Instant): void {
  if (sameAccount(access.owner, account)) return
  if (isActive(access.expiresAt, later(now, access.asOf))) return
  throw new Failure('access/denied', { tokenId, account })
}
