import type { SealContext } from '../bundles/seal-context.ts'
import { isFailure } from '../failure.ts'
import type { DocumentReader } from '../json/segments.ts'
import type { Ports } from '../ports/ports.ts'
import type { Account, Digest, Salt } from '../values/branded.ts'

/**
 * Returns the sealed bundle under a digest, which must open in a context. Anyone can mint a token with
 * the digest of any bytes, which a peer sends. So of a long bundle it reads the head first, and the
 * rest only when the head is authentic, of the context, and promises the length that the blob has.
 *
 * @throws `access/copied`, `blob/not-found`, `blob/corrupt`, `blob/unavailable`, `bundle/unreadable`
 */
export async function readSealed(
  { blobStore, cipher }: readSealed.Parts,
  { digest, context, head: known }: readSealed.Input,
): Promise<Uint8Array> {
  const head = known ?? (await blobStore.head(digest))
  const length = await cipher.sealedLength(head, context)
  return head.length >= length ? head : blobStore.get(digest, { atMost: length })
}

export declare namespace readSealed {
  type Parts = {
    readonly blobStore: Pick<Ports['blobStore'], 'get' | 'head'>
    readonly cipher: Pick<Ports['cipher'], 'sealedLength'>
  }
  type Input = {
    readonly digest: Digest
    /** The context in which the bundle must be sealed. */
    readonly context: SealContext
    /** Its head, where it was read already. */
    readonly head?: Uint8Array | undefined
  }
}

/** The failures of `readSalt`. */
export const readSaltFailures = [
  'access/copied',
  'blob/corrupt',
  'blob/not-found',
  'blob/unavailable',
  'bundle/unreadable',
] as const

/**
 * Reads the salt of a memory that was sealed for a creator, who may not have minted it yet. The salt
 * is stored in the sealed bundle alone. The caller has verified with `proveCreator` that the creator
 * asks for it.
 *
 * @throws `access/copied` when it was sealed for somebody else, `blob/not-found`, `blob/corrupt`,
 * `blob/unavailable`, `bundle/unreadable`
 */
export async function readSalt(
  { blobStore, cipher, ledger }: Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>,
  { digest, creator }: readSalt.Input,
): Promise<Salt> {
  const context = { registry: ledger.registry, creator }
  const sealed = await readSealed({ blobStore, cipher }, { digest, context })
  return (await cipher.reader(sealed, context, blobStore)).salt
}

export declare namespace readSalt {
  type Input = {
    /** The sealed bundle. */
    readonly digest: Digest
    /** The account that it was sealed for. */
    readonly creator: Account
  }
}

/**
 * Reports whether a sealed bundle has exactly the bytes of a document, reading it up to the first piece
 * that differs. One that does not open here has other bytes.
 */
export async function hasDocument(
  { blobStore, cipher }: Pick<Ports, 'blobStore' | 'cipher'>,
  { digest, context, document }: hasDocument.Input,
): Promise<boolean> {
  try {
    const sealed = await readSealed({ blobStore, cipher }, { digest, context })
    const reader = await cipher.reader(sealed, context, blobStore)
    return await isSameDocument(reader, document)
  } catch (error) {
    if (isFailure(error)) return false
    throw error
  }
}

export declare namespace hasDocument {
  type Input = {
    readonly digest: Digest
    readonly context: SealContext
    readonly document: Uint8Array
  }
}

async function isSameDocument(reader: DocumentReader, document: Uint8Array): Promise<boolean> {
  if (reader.length !== document.length) return false
  for (const [at, { offset, length }] of (await reader.segments()).entries()) {
    const piece = await reader.read(at)
    if (!isSame(piece, document.subarray(offset, offset + length))) return false
  }
  return true
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  // A loop, because a callback for each byte takes ten times as long.
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return one.length === other.length
}
