import { refuseAltered } from '../bundles/bundle.ts'
import { type DocumentCursor, openCursor, type Pace } from '../json/document-cursor.ts'
import type { Ports } from '../ports/ports.ts'
import type { OpenedScope } from '../tokens/opening.ts'
import type { Digest } from '../values/branded.ts'
import { type OpenableMemory, openFor } from './admit-reader.ts'
import type { ReaderProof } from './prove-account.ts'
import { readSealed } from './read-sealed.ts'

/** The reader of a part of a memory, and the bounds of the reading. */
export type PartialRead = ReaderProof & {
  /** Runs after the right is verified and before the memory is opened; may throw to refuse. */
  readonly beforeOpening?: ((opening: Opening) => Promise<void>) | undefined
  /**
   * Runs before the list of the pieces of a memory is read, with the bytes of memory that its reader
   * may hold, and again when it was read; may throw to refuse.
   */
  readonly holdMemory?: ((bytes: number) => void) | undefined
  /** Runs before each stretch of at most 64 KiB is scanned; may wait, and may throw to stop. */
  readonly pace?: Pace | undefined
}

/** A memory of which a part is read. */
export type OpenedDocument = { readonly cursor: DocumentCursor; readonly source: PartSource }

/** A memory that is about to be opened. */
export type Opening = {
  readonly digest: Digest
  /** Whether it is opened in pieces; otherwise the whole document will be in memory. */
  readonly isInPieces: boolean
}

/** The sealed bundle that a part is from. */
export type PartSource = {
  /** The digest of the sealed bundle, which authenticates what was read. */
  readonly digest: Digest
  /** The length of the whole document in bytes. */
  readonly documentLength: number
}

/**
 * Opens the memory of a token for its owner or an active renter, with the checks of a download, and
 * reads it with a cursor at its beginning. What is read is authentic by the digest of the sealed bundle;
 * that the whole has the content hash is not computed, but the bundle must name the hash on the chain.
 *
 * @throws the failures of `download`
 */
export async function openDocument<T>(
  ports: Ports,
  read: PartialRead & { readonly scope: Exclude<OpenedScope, 'whole'> },
  use: (opened: OpenedDocument) => Promise<T>,
): Promise<T> {
  return openFor(ports, read, async (memory) => use(await cursorIn(ports, read, memory)))
}

async function cursorIn(
  { blobStore, cipher }: Ports,
  { beforeOpening, holdMemory, pace = async () => {} }: PartialRead,
  { contentHash, digest, context }: OpenableMemory,
): Promise<OpenedDocument> {
  const head = await blobStore.head(digest)
  const isInPieces = cipher.inspect(head).packs.length > 0
  await beforeOpening?.({ digest, isInPieces })
  const sealed = await readSealed({ blobStore, cipher }, { digest, context, head })
  const reader = await cipher.reader(sealed, context, blobStore)
  refuseAltered(contentHash, reader.contentHash)
  const hold = () => holdMemory?.(reader.held?.() ?? 0)
  hold()
  const cursor = await openCursor(reader, pace)
  hold()
  return { cursor, source: { digest, documentLength: reader.length } }
}
