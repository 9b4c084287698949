import type { Digest } from '../domain/hash.ts'
import { Failure } from '../failure.ts'

/**
 * Stores sealed bundles and card blocks under the digest of their root block.
 *
 * Laws
 * - returns the bytes that were put
 * - returns the same digest for equal bytes
 * - returns different digests for different bytes
 * - retains bytes that are put again
 * - stores blobs that are put at the same time
 * - refuses an unknown digest with `blob/not-found`
 * - removes one blob and no other
 * - returns the head of a blob and only bytes that were put
 * - returns a stretch of a blob
 * - refuses a blob that is longer than a bound with `blob/corrupt`
 * - shares no bytes of a blob of more than 128 KiB with those who put or get it
 */
export interface BlobStore {
  /**
   * Stores `bytes` durably and returns the digest that retrieves them. `head` can then read the
   * first `headLength` of them alone, at most 131,072. A store may return another digest for the
   * same bytes when `headLength` differs. Does not use `bytes` any more when it returns: the caller may release them.
   *
   * @throws `blob/unavailable`; a `RangeError` for a longer head
   */
  put(bytes: Uint8Array, headLength?: number): Promise<Digest>
  /**
   * Returns the bytes stored under `digest`, or a stretch of them, which lies within them. For a
   * stretch it reads the smallest parts that the store can verify, and of a blob that is longer than
   * `atMost` nothing but what tells its length. More than 128 KiB are the caller's own, which may
   * release them; fewer may be those of a cache.
   *
   * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
   */
  get(digest: Digest, range?: Stretch | LengthBound): Promise<Uint8Array>
  /**
   * Returns the head of the blob under `digest`; more bytes of the blob may follow it. Reads the
   * smallest part that the store can verify.
   *
   * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
   */
  head(digest: Digest): Promise<Uint8Array>
  /**
   * Removes the bytes stored under `digest`, if there are any. Two blobs never share a block that
   * could be lost with one of them: sealed bytes are random, and a card block holds the content
   * hash of its memory.
   *
   * @throws `blob/unavailable`
   */
  remove(digest: Digest): Promise<void>
}

/** A stretch of bytes; both numbers are in bytes. */
export type Stretch = { readonly offset: number; readonly length: number }

/** The most bytes that a blob may have; anyone can make a blob that is longer than any memory. */
export type LengthBound = { readonly atMost: number }

/**
 * Returns a view of a stretch of a blob, or of all of it.
 *
 * @throws `blob/corrupt` when the blob is longer than a bound
 */
export function viewOf(
  { digest, bytes }: { readonly digest: Digest; readonly bytes: Uint8Array },
  range: Stretch | LengthBound | undefined,
): Uint8Array {
  if (range === undefined) return bytes
  if ('offset' in range) return bytes.subarray(range.offset, range.offset + range.length)
  if (bytes.length > range.atMost) throw new Failure('blob/corrupt', { digest })
  return bytes
}
