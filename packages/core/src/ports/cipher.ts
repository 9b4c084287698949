import type { Hash, Salt } from '../domain/hash.ts'

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
 */
export interface Cipher {
  /**
   * Seals a document under a fresh key and a fresh salt.
   *
   * @throws `bundle/malformed` when it is longer than this cipher would open again
   */
  seal(document: Uint8Array): Promise<{ readonly sealed: Uint8Array; readonly contentHash: Hash }>
  /**
   * Opens a sealed document; the content hash is computed anew from what was opened.
   *
   * @throws `bundle/unreadable`
   */
  open(sealed: Uint8Array): Promise<{
    readonly document: Uint8Array
    readonly salt: Salt
    readonly contentHash: Hash
  }>
}
