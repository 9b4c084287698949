import type { RatedToken, Rating, ScoreCounts } from '../tokens/rating.ts'
import type { TokenId } from '../values/branded.ts'
import type { Page, PageInput } from './catalogue.ts'

/**
 * Remembers the ratings of tokens. Any method may fail with `rating/unavailable`.
 *
 * Laws
 * - returns what was added, newest first, each once, page by page
 * - keeps one rating of an account for a token, the one that was signed last
 * - counts the ratings of each token with each score
 * - separates the ratings of different tokens
 * - returns the best rated tokens first
 * - refuses a cursor that it did not issue with `request/malformed`
 */
export interface Ratings {
  /**
   * Adds a rating durably, unless the account signed another one of the token at the same time or
   * later. Returns the one that counts.
   */
  add(rating: Rating): Promise<Rating>
  /**
   * Returns the ratings of a token, the last signed first; of equal times in the order of accounts.
   *
   * @throws `request/malformed` for a cursor of another list
   */
  list(tokenId: TokenId, page: PageInput): Promise<Page<Rating>>
  /** Returns how many ratings of each of several tokens have each score, in the order of the tokens. */
  counts(tokenIds: readonly TokenId[]): Promise<readonly ScoreCounts[]>
  /** Returns at most `limit` rated tokens, those of the greatest worth first. */
  best(limit: number): Promise<readonly RatedToken[]>
}
