import { constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { unreadable } from './unreadable.ts'

/** Up to this length, in bytes, starting a compressor costs more than it saves. */
const smallest = 4096

/** How documents are compressed. */
export const compression: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** What opening fails with when the payload and the length in the envelope are at odds. */
export const broken = () => unreadable('it does not hold the document it promises')

/** Returns what is sealed for a document: its zstd frame when that is shorter, or the document. */
export function pack(document: Uint8Array): {
  readonly payload: Uint8Array
  readonly compressed: boolean
} {
  if (document.length <= smallest) return { payload: document, compressed: false }
  const frame = zstdCompressSync(document, { ...compression, ...inOnePiece(document.length) })
  const compressed = frame.length < document.length
  return { payload: compressed ? frame : document, compressed }
}

/**
 * Returns the document of an opened payload; no more than `length` bytes are ever inflated.
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
  if (document.length !== length) throw broken()
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
    throw broken()
  }
}

// One byte more than the frame gives, or a second piece is begun for nothing.
const inOnePiece = (length: number): Pick<ZstdOptions, 'chunkSize'> => ({
  chunkSize: Math.min(Math.max(length + 1, 1024), 1_048_576),
})
