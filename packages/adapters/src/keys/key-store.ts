import type { KeyDocument } from './key-document.ts'

/**
 * Stores the key document of one server, or of several that share a database.
 *
 * Laws
 * - is empty at first
 * - reads back what was committed
 * - refuses a commit that does not follow the stored epoch
 * - accepts exactly one of several concurrent commits
 * - keeps the ids of destroyed keys when an older document is restored
 */
export type KeyStore = {
  /** The location of the store, for operators; it contains no password. */
  readonly place: string
  /** Returns the document; `undefined` when there is none yet. */
  readonly read: () => Promise<KeyDocument | undefined>
  /**
   * Replaces the document whose epoch is lower by 1, atomically: a crash leaves either of the two.
   * Returns false, and changes nothing, when the stored document has another epoch.
   */
  readonly commit: (next: KeyDocument) => Promise<boolean>
  /** Returns the ids of all keys that were ever destroyed here, independent of the document. */
  readonly destroyed: () => Promise<ReadonlySet<string>>
  /** Adds ids of destroyed keys, permanently. */
  readonly noteDestroyed: (ids: readonly string[]) => Promise<void>
}
