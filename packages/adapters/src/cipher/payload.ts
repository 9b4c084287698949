import { constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { unreadable } from './unreadable.ts'

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
