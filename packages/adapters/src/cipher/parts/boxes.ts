import { constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { releaseBuffer } from '../../platform/release-buffer.ts'
import { sizes } from '../envelope.ts'
import type { Secretbox } from '../secretbox.ts'
import { unreadable } from '../sections.ts'
import { chunkLengths } from './cutter.ts'
import { malformedList } from './list-bytes.ts'
import { type ChunkEntry, entrySizes, type Place } from './list-node.ts'

/** Each key seals one content alone, because it is derived from it, so that the nonce may stay. */
const nonce = Buffer.alloc(sizes.nonce)

/** Seals a message under its own key into `box`, which is 16 bytes longer. */
export function sealBox(
  secretbox: Secretbox,
  { key, message, box }: { readonly [part in 'key' | 'message' | 'box']: Uint8Array },
): void {
  secretbox.seal({ message, box, nonce, key })
}

/**
 * Returns the sealed bytes at a place of a pack.
 *
 * @throws `bundle/unreadable`
 */
export function boxAt({ offset, stored }: Place, pack: Uint8Array): Uint8Array {
  if (offset + stored > pack.length) throw malformedList()
  return pack.subarray(offset, offset + stored)
}

/**
 * Opens the sealed bytes of a place.
 *
 * @throws `bundle/unreadable`
 */
export function openBox(secretbox: Secretbox, { key }: Place, box: Uint8Array): Uint8Array {
  const message = Buffer.allocUnsafe(box.length - entrySizes.overhead)
  if (!secretbox.open({ message, box, nonce, key })) throw unreadable('a part of it was altered')
  return message
}

/**
 * Opens a chunk.
 *
 * @throws `bundle/unreadable`
 */
export function openChunkOf(secretbox: Secretbox, entry: ChunkEntry, box: Uint8Array): Uint8Array {
  const message = openBox(secretbox, entry, box)
  const plain = entry.compressed ? expand(message, entry.length) : message
  if (plain.length !== entry.length) throw malformedList()
  if (plain !== message) releaseBuffer(message)
  return plain
}

/**
 * Lets this thread release chunks and frames. Node takes short buffers from a pool, which stays until
 * all that was taken from it is garbage; with this, only what is shorter than any chunk comes from there.
 */
export function keepChunksOutOfPool(): void {
  Buffer.poolSize = 2 * chunkLengths.least
}

/** Releases a chunk that was opened. */
export const releaseChunk = (plain: Uint8Array, { compressed }: ChunkEntry): void =>
  releaseBuffer(plain, compressed ? expandedSize(plain.length) : plain.length)

// One byte more than the chunk, so that zlib does not allocate a second buffer.
const expandedSize = (length: number) => Math.max(64, length + 1)

function expand(frame: Uint8Array, length: number): Uint8Array {
  try {
    const chunkSize = expandedSize(length)
    return zstdDecompressSync(frame, { maxOutputLength: length, chunkSize })
  } catch {
    throw malformedList()
  }
}

/** Releases the frame of a chunk. */
export const releaseFrame = (frame: Uint8Array, chunk: Uint8Array): void =>
  releaseBuffer(frame, frameSize(chunk))

const frameSize = (chunk: Uint8Array) => chunk.length + 64

/** Returns the frame of a chunk; `undefined` when it is not shorter. */
export function shorten(chunk: Uint8Array): Uint8Array | undefined {
  const options: ZstdOptions = {
    chunkSize: frameSize(chunk),
    // Without the length, zstd prepares for a long stream, which takes longer than the chunk.
    pledgedSrcSize: chunk.length,
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  }
  const frame = zstdCompressSync(chunk, options)
  if (frame.length < chunk.length) return frame
  releaseFrame(frame, chunk)
  return undefined
}
