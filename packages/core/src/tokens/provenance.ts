import { Failure } from '../failure.ts'
import type { Account, Digest, Hash, Instant, TokenId } from '../values/branded.ts'

/** The permanent record of a token on the chain. */
export type Provenance = {
  readonly tokenId: TokenId
  readonly contentHash: Hash
  readonly digest: Digest
  /** The account that paid for the mint or the fork. */
  readonly creator: Account
  /** The token this one was forked from or declares as its parent; absent for a root. */
  readonly parent: TokenId | undefined
  /** The time of the block that minted it, to the second. */
  readonly mintedAt: Instant
}

/**
 * Returns `found`, the result of a lookup of a token.
 *
 * @throws `token/not-found` when it is `undefined`
 */
export function requireFound<T>(id: TokenId, found: T | undefined): T {
  if (found === undefined) throw new Failure('token/not-found', { tokenId: id })
  return found
}
