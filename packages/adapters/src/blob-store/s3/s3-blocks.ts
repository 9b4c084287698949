import type { CID } from 'multiformats/cid'
import type { S3Objects } from '../../platform/s3-objects.ts'
import { CorruptBlock, MissingBlock, UnreachableBlocks } from '../blob-failure.ts'
import type { BlobParts } from '../block-blobs.ts'
import { nameOf, nameOfBytes, pathOf, sha256Of } from '../cid.ts'

/** IPFS blocks, each an object whose bytes are those of the block. */
export type S3Blocks = BlobParts['blocks'] & {
  /** Waits until nothing is being written. */
  settled(): Promise<void>
}

/** Twice the longest block that is written, in bytes. What is longer cannot be one of ours. */
export const longestBlock = 2_097_152

/**
 * Stores IPFS blocks as objects. An object has the name that the block has as a file below the
 * folder `blocks` of a data folder, so copying the one to the other moves the blocks. Every read
 * compares the bytes with the digest.
 */
export function s3Blocks(objects: S3Objects): S3Blocks {
  const writing = new Set<Promise<unknown>>()
  return {
    // A block that is there is written again: to compare it takes longer than to replace it.
    has: async () => false,
    async put(cid, bytes) {
      if (!(bytes instanceof Uint8Array)) throw new TypeError('A block is written in one piece.')
      const name = nameOf(cid)
      if (name === undefined || name !== nameOfBytes(bytes)) throw new CorruptBlock()
      const write = reach(objects.put(pathOf(name), bytes))
      writing.add(write)
      await write.finally(() => writing.delete(write))
      return cid
    },
    read: (cid) => readBlock(objects, cid),
    async delete(cid) {
      const name = nameOf(cid)
      if (name !== undefined) await reach(objects.remove(pathOf(name)))
    },
    settled: async () => {
      await Promise.allSettled(writing)
    },
  }
}

async function readBlock(objects: S3Objects, cid: CID): Promise<Uint8Array> {
  const name = nameOf(cid)
  const bytes = name && (await reach(objects.get(pathOf(name), longestBlock + 1)))
  if (!bytes) throw new MissingBlock()
  // The first two bytes of a multihash say sha2-256.
  if (!name.endsWith(await sha256Of(bytes))) throw new CorruptBlock()
  return bytes
}

async function reach<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (cause) {
    throw new UnreachableBlocks('The object store did not do what it was asked.', { cause })
  }
}
