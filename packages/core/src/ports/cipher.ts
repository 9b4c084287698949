import type { Hash, Salt } from '../domain/hash.ts'
import type { SealContext } from '../domain/seal-context.ts'

/**
 * Seals documents so that only holders of a key can open them, and names their content.
 *
 * Laws
 * - opens what it sealed to the same bytes
 * - names the same content when sealing and opening
 * - names the content as sha256 of the salt and the document
 * - seals one document differently each time
 * - shows nothing of the document in what it sealed
 * - refuses a sealed bundle with one bit changed with `bundle/unreadable`
 * - refuses a sealed bundle cut short or prolonged with `bundle/unreadable`
 * - refuses bytes it did not seal with `bundle/unreadable`
 * - refuses parts of several sealed bundles put together with `bundle/unreadable`
 * - refuses to open in another context with `access/copied`
 * - shows the context that a bundle was sealed for
 * - shows the context in the head alone, and no context in other bytes
 */
export interface Cipher {
  /**
   * Seals a document for a context, under a fresh key and a fresh salt.
   *
   * @throws `bundle/malformed` when it is longer than this cipher would open again
   */
  seal(
    document: Uint8Array,
    context: SealContext,
  ): Promise<{
    readonly sealed: Uint8Array
    /** The number of first bytes that describe the rest; none of the document is in them. */
    readonly headLength: number
    readonly contentHash: Hash
  }>
  /**
   * Opens a sealed document in the context that it was sealed for. Everything that describes the
   * payload is authenticated before the context is compared, and the context before any of the
   * payload is opened. The content hash is computed anew from what was opened.
   *
   * @throws `bundle/unreadable`, `access/copied`
   */
  open(
    sealed: Uint8Array,
    context: SealContext,
  ): Promise<{
    readonly document: Uint8Array
    readonly salt: Salt
    readonly contentHash: Hash
  }>
  /**
   * Returns the context that a bundle says it was sealed for, out of its head and without a key.
   * Only `open` authenticates it.
   *
   * @throws `bundle/unreadable`
   */
  contextOf(head: Uint8Array): SealContext
}
