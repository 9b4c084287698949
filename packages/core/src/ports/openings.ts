import type { RecordedOpening } from '../tokens/opening.ts'
import type { Account, Instant, TokenId } from '../values/branded.ts'
import type { Page, PageInput } from './catalogue.ts'

/**
 * Remembers who opened memories. What returns a promise may fail with `store/unavailable`.
 *
 * Laws
 * - returns what was recorded, newest first, each once, page by page
 * - adds up the counts of equal openings in one stretch of time
 * - shows each owner the openings of each token in its own time, and no others
 * - reports whether there are some of a token in the time of an owner
 * - forgets what began before a time, and nothing else
 * - refuses a cursor that it did not issue with `request/malformed`
 */
export interface Openings {
  /** Records an opening. Returns at once, never fails, and may lose it where the store has trouble. */
  record(opening: RecordedOpening): void
  /**
   * Returns the openings of a token while an account owned it, the newest first, with those that were
   * recorded before the call.
   *
   * @throws `request/malformed` for a cursor of another list
   */
  list(of: OpeningsOf, page: PageInput): Promise<Page<RecordedOpening>>
  /** Returns whether there are openings of a token while an account owned it. Writes nothing. */
  has(of: OpeningsOf): Promise<boolean>
  /** Forgets the openings that began before a time. */
  forget(before: Instant): Promise<void>
}

/** A token, and the account that owned it at the time of the openings. */
export type OpeningsOf = { readonly tokenId: TokenId; readonly owner: Account }
