import type { Transform } from 'node:stream'
import { constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { unreadable } from './sections.ts'

/** Up to this length, in bytes, compression costs more than it saves. */
const shortestCompressed = 4096

/** The compression options of documents. */
export const compression: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Returns the failure of a payload that does not match the length in the envelope. */
export const mismatch = () => unreadable('it does not hold the document it promises')

/** Returns the payload of a document: its zstd frame when that is shorter, else the document. */
export function pack(document: Uint8Array): {
  readonly payload: Uint8Array
  readonly compressed: boolean
} {
  if (document.length <= shortestCompressed) return { payload: document, compressed: false }
  const frame = zstdCompressSync(document, { ...compression, ...inOnePiece(document.length) })
  const compressed = frame.length < document.length
  return { payload: compressed ? frame : document, compressed }
}

/**
 * Returns the document of an opened payload; inflates at most `length` bytes.
 *
 * @throws `bundle/unreadable` when the document does not have the length it was sealed with
 */
export function unpack({
  payload,
  compressed,
  length,
}: {
  readonly payload: Uint8Array
  readonly compressed: boolean
  readonly length: number
}): Uint8Array {
  const document = compressed ? inflate(payload, length) : payload
  if (document.length !== length) throw mismatch()
  return document
}

function inflate(payload: Uint8Array, length: number): Uint8Array {
  try {
    const { buffer, byteOffset, byteLength } = zstdDecompressSync(payload, {
      maxOutputLength: Math.max(1, length),
      ...inOnePiece(length),
    })
    return new Uint8Array(buffer, byteOffset, byteLength)
  } catch {
    throw mismatch()
  }
}

// The buffer is one byte longer than the output, so that zlib does not allocate a second one.
const inOnePiece = (length: number): Pick<ZstdOptions, 'chunkSize'> => ({
  chunkSize: Math.min(Math.max(length + 1, 1024), 1_048_576),
})

export declare namespace transformStream {
  type Input = {
    /** The input; the buffer of each piece is released once it has been read. */
    readonly pieces: AsyncIterable<Uint8Array>
    /** Reads a piece while the transform processes it. */
    readonly inspect?: (piece: Uint8Array) => void
    /** Receives the output, part by part; an error it throws ends the transform. */
    readonly take: (part: Uint8Array) => void
  }
}

/** Passes pieces through a transform, which works in the thread pool meanwhile. */
export async function transformStream(
  transform: Transform,
  { pieces, inspect = () => undefined, take }: transformStream.Input,
): Promise<void> {
  const abort = (error: Error) => {
    transform.destroy(error)
    throw error
  }
  await Promise.all([
    feed(transform, pieces, inspect).catch(abort),
    drain(transform, take).catch(abort),
  ])
}

async function feed(
  transform: Transform,
  pieces: AsyncIterable<Uint8Array>,
  inspect: (piece: Uint8Array) => void,
): Promise<void> {
  let written = Promise.resolve()
  for await (const piece of pieces) {
    await written
    written = write(transform, piece)
    // The failure is reported where it is awaited, which may be too late to count as handled.
    written.catch(() => undefined)
    inspect(piece)
  }
  await written
  transform.end()
}

function write(transform: Transform, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    transform.write(piece, (error) => {
      releaseBuffer(piece)
      if (error) reject(error)
      else resolve()
    })
  })
}

async function drain(transform: Transform, take: (part: Uint8Array) => void): Promise<void> {
  for await (const part of transform) {
    take(part)
    releaseBuffer(part)
  }
}
