import type { Hash, Salt } from '../domain/hash.ts'
import type { Seal, SealContext } from '../domain/seal-context.ts'

/**
 * Seals documents so that only holders of a key can open them, and computes their content hash.
 *
 * Laws
 * - opens a sealed document to the same bytes
 * - returns the same content hash when sealing and opening
 * - computes the content hash as sha256 of the salt and the document
 * - seals one document differently each time
 * - seals under the salt that is given
 * - reveals nothing of the document in the sealed bytes
 * - refuses a sealed bundle with one changed bit with `bundle/unreadable`
 * - refuses a truncated or extended sealed bundle with `bundle/unreadable`
 * - refuses bytes that it did not seal with `bundle/unreadable`
 * - refuses a splice of several sealed bundles with `bundle/unreadable`
 * - refuses to open in another context with `access/copied`
 * - returns the context and the content hash of a sealed bundle
 * - inspects a head without its bundle and refuses other bytes
 * - never reports a changed head as authentic
 */
export interface Cipher {
  /**
   * Seals a document for a context, under a fresh key and a fresh salt. A given salt keeps the
   * content hash of a memory that was sealed elsewhere.
   *
   * @throws `bundle/malformed` when the document is longer than this cipher can open again
   */
  seal(
    document: Uint8Array,
    context: SealContext,
    salt?: Salt,
  ): Promise<{
    readonly sealed: Uint8Array
    /**
     * The length in bytes of the head, which describes the bundle and holds nothing of the
     * document.
     */
    readonly headLength: number
    readonly contentHash: Hash
  }>
  /**
   * Opens a sealed document in the context that it was sealed for. Authenticates the head first,
   * then compares the context, and only then opens the payload. Computes the content hash from the
   * opened bytes.
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
   * Reads the head of a sealed bundle. Works without the key of the bundle too; then the result is
   * not authentic.
   *
   * @throws `bundle/unreadable`
   */
  inspect(head: Uint8Array): Seal
}
