import type { Digest } from '../domain/hash.ts'

/**
 * Keeps sealed bundles, and the blocks of cards, by the digest of their root block.
 *
 * Laws
 * - reads back the bytes that were put
 * - gives equal bytes the same digest
 * - gives different bytes different digests
 * - keeps bytes that are put again
 * - keeps many that are put at once
 * - refuses an unknown digest with `blob/not-found`
 * - forgets what is removed, and nothing else
 * - reads the head of a blob, and no byte that was not put
 */
export interface BlobStore {
  /**
   * Stores `bytes` durably and returns the digest that retrieves them. The first `headLength` of
   * them can then be read alone; a store may give the same bytes another digest for another head.
   *
   * @throws `blob/unavailable`
   */
  put(bytes: Uint8Array, headLength?: number): Promise<Digest>
  /**
   * Returns the bytes kept under `digest`.
   *
   * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
   */
  get(digest: Digest): Promise<Uint8Array>
  /**
   * Returns the head of the blob under `digest`, which may be followed by further bytes of it. It
   * reads as little as the store can check.
   *
   * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
   */
  head(digest: Digest): Promise<Uint8Array>
  /**
   * Forgets the bytes kept under `digest`; there need not be any. Sealed bytes are random and a
   * card names its memory, so no two have a part in common that could be lost with one of them.
   *
   * @throws `blob/unavailable`
   */
  remove(digest: Digest): Promise<void>
}
