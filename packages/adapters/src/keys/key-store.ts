import type { KeyDocument } from './key-document.ts'
import type { StoredDocument } from './stored-document.ts'

/**
 * Stores the key document of one server, or of several that share a database.
 *
 * Laws
 * - is empty at first
 * - reads back what was committed
 * - refuses a commit that does not follow the stored epoch
 * - accepts exactly one of several concurrent commits
 * - has destroyed no keys at first
 * - keeps the ids of destroyed keys when an older document is restored
 */
export type KeyStore = StoredDocument<KeyDocument> & {
  /** Returns the ids of all keys that were ever destroyed here, independent of the document. */
  readonly destroyed: () => Promise<ReadonlySet<string>>
  /** Adds ids of destroyed keys, permanently. */
  readonly noteDestroyed: (ids: readonly string[]) => Promise<void>
}
