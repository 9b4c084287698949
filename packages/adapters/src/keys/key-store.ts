import type { KeyDocument } from './key-document.ts'

/**
 * Holds the key document of one server, or of several that share a database.
 *
 * Laws
 * - holds nothing at first
 * - reads back what was committed
 * - refuses a commit that does not follow the epoch it holds
 * - lets one of many that commit at once win
 * - remembers what was destroyed, also when an older document comes back
 */
export type KeyStore = {
  /** Names the place to operators, without a password. */
  readonly place: string
  /** Returns the document; `undefined` where there is none yet. */
  readonly read: () => Promise<KeyDocument | undefined>
  /**
   * Puts a document in the place of the one whose epoch is lower by 1, in one step: a crash leaves
   * either of the two. Returns false, and changes nothing, where another one is held.
   */
  readonly commit: (next: KeyDocument) => Promise<boolean>
  /** Returns the ids of all keys that were ever destroyed here, whatever the document says. */
  readonly destroyed: () => Promise<ReadonlySet<string>>
  /** Notes ids for good. */
  readonly noteDestroyed: (ids: readonly string[]) => Promise<void>
}
