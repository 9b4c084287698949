import type { Digest } from '../domain/hash.ts'
import type { SealContext } from '../domain/seal-context.ts'
import type { Ports } from '../ports/ports.ts'

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
