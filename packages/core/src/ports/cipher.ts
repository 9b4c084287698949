import type { SealedSaver } from '../bundles/saver.ts'
import type { Seal, SealContext } from '../bundles/seal-context.ts'
import type { DocumentReader } from '../json/segments.ts'
import type { Digest, Hash, Salt } from '../values/branded.ts'
import type { BlobStore } from './blob-store.ts'

/** A row of versions of one memory, which share what did not change. */
export type Line = {
  /** The owner of the line and its name, as one text. It is sealed with the version. */
  readonly name: string
  /** The sealed bundle of the last version; absent in the first one. */
  readonly previous?: Digest | undefined
}

/** The options of `Cipher.seal`, besides the document and its context. */
export type SealOptions = {
  /** The store of the packs of this version, and of the last one. */
  readonly blobs: Pick<BlobStore, 'get' | 'head' | 'put'>
  /** The salt of the content hash; a fresh one when absent. */
  readonly salt?: Salt | undefined
  /** The JSON pointers of the items that the head shows to everybody, with their proofs. */
  readonly excerpts?: readonly string[] | undefined
  /** The line that the document is the next version of; a line of its own when absent. */
  readonly line?: Line | undefined
  /** The one who saves; sealed into the head, and read by whoever has its key. None when absent. */
  readonly savedBy?: SealedSaver | undefined
  /**
   * Whether the document is handed over, with all that shares its buffer: a long one is released as
   * soon as it is sealed.
   */
  readonly isHandedOver?: boolean | undefined
  /**
   * Runs once with the number of bytes that this version adds, its packs included, before any are
   * stored; may throw to refuse.
   */
  readonly beforeStoring?: ((bytes: number) => Promise<void>) | undefined
}

/** Reads an opened document piece by piece. */
export type BundleReader = DocumentReader & { readonly salt: Salt; readonly contentHash: Hash }

/**
 * Seals documents so that only holders of a key can open them, and computes their content hash.
 *
 * Laws
 * - opens a sealed document to the same bytes
 * - reads a sealed document in pieces with the same bytes
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
 * - returns the length of a sealed bundle by its head alone
 * - returns no length by a head that was changed or is of another context
 * - opens each version of a line to its bytes
 * - shares packs with versions of the same creator and name alone
 * - seals the next version of a line also without the last one
 * - commits in the head to the items of a document under its salt
 * - returns who saved a memory by an authentic head alone
 * - shows the chosen excerpts in the head and refuses others with `excerpt/not-in-memory`
 */
export interface Cipher {
  /**
   * Seals a document for a context, under a fresh key and a fresh salt. A given salt keeps the
   * content hash of a memory that was sealed elsewhere. Stores the packs of a long document; the
   * caller stores the sealed bundle, which names them. The next version of a line stores only what
   * changed, if the last one can be read here; otherwise it stores everything again.
   *
   * @throws `bundle/malformed` when the document is longer than this cipher can open again,
   * `excerpt/not-in-memory`, `card/malformed` for excerpts, `blob/unavailable`, and what `beforeStoring` throws
   */
  seal(
    document: Uint8Array,
    context: SealContext,
    options: SealOptions,
  ): Promise<{
    readonly sealed: Uint8Array
    /**
     * The length in bytes of the head, which describes the bundle and holds nothing of the
     * document but the chosen excerpts.
     */
    readonly headLength: number
    readonly contentHash: Hash
  }>
  /**
   * Opens a sealed document in the context that it was sealed for. Authenticates the head first,
   * then compares the context, and only then opens the payload. Computes the content hash from the
   * opened bytes.
   *
   * @throws `bundle/unreadable`, `access/copied`, and the failures of `get` for a pack
   */
  open(
    sealed: Uint8Array,
    context: SealContext,
    blobs: Pick<BlobStore, 'get'>,
  ): Promise<{
    readonly document: Uint8Array
    readonly salt: Salt
    readonly contentHash: Hash
  }>
  /**
   * Opens a sealed document as `open` does, but only the pieces that are read. They are authentic;
   * that all pieces together have the content hash is not verified.
   *
   * @throws `bundle/unreadable`, `access/copied`, and the failures of `get` for a pack
   */
  reader(
    sealed: Uint8Array,
    context: SealContext,
    blobs: Pick<BlobStore, 'get'>,
  ): Promise<BundleReader>
  /**
   * Reads the head of a sealed bundle. Works without the key of the bundle too; then the result is
   * not authentic.
   *
   * @throws `bundle/unreadable`
   */
  inspect(head: Uint8Array): Seal
  /**
   * Returns the length in bytes of the sealed bundle that begins with a head. When more bytes follow
   * the head, it is authenticated and its context is compared first: anyone can write a head that
   * promises any length.
   *
   * @throws `bundle/unreadable`, `access/copied`
   */
  sealedLength(head: Uint8Array, context: SealContext): Promise<number>
}
