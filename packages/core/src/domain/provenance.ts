import type { Account } from './account.ts'
import type { Digest, Hash } from './hash.ts'
import type { Instant } from './time.ts'
import type { TokenId } from './token.ts'

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
