import { Failure } from '../failure.ts'
import { type Account, sameAccount } from './account.ts'
import type { Digest, Hash } from './hash.ts'
import { isActive } from './rental.ts'
import { type Instant, later } from './time.ts'
import type { TokenId } from './token.ts'

/** What the gate needs to know of a token and one account, as of one block. */
export type Access = {
  readonly owner: Account
  /** When the account's rental ends; absent when it never rented. */
  readonly expiresAt: Instant | undefined
  readonly contentHash: Hash
  readonly digest: Digest
  /**
   * The snapshot at the end of the token's chain of licensed forks; the token itself where it is
   * no licensed fork.
   */
  readonly source: { readonly tokenId: TokenId; readonly creator: Account }
  /** The time of the block that this was read at. */
  readonly asOf: Instant
}

/**
 * Lets the owner and active renters pass. Time is the later of the chain's and the clock's: on an
 * idle chain the last block's time stands still, and a slow clock must not prolong a rental.
 *
 * @throws `access/denied`
 */
export function admit(access: Access, tokenId: TokenId, account: Account, now: Instant): void {
  if (sameAccount(access.owner, account)) return
  if (isActive(access.expiresAt, later(now, access.asOf))) return
  throw new Failure('access/denied', { tokenId, account })
}
