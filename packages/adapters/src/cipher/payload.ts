import { promisify } from 'node:util'
import {
  constants,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'
import { unreadable } from './unreadable.ts'

const inOtherThread = {
  compress: promisify(zstdCompress),
  decompress: promisify(zstdDecompress),
}
const here = { compress: zstdCompressSync, decompress: zstdDecompressSync }

/** Up to this length, in bytes, handing work to another thread takes longer than the work. */
const short = 65_536

/** Up to this length, in bytes, starting a compressor costs more than it saves. */
const smallest = 4096

/** Returns what is sealed for a document: its zstd frame when that is shorter, or the document. */
export async function pack(
  document: Uint8Array,
): Promise<{ readonly payload: Uint8Array; readonly compressed: boolean }> {
  if (document.length <= smallest) return { payload: document, compressed: false }
  const params = { [constants.ZSTD_c_compressionLevel]: 1 }
  const { compress } = workerFor(document.length)
  const frame = await compress(document, { params, ...inPiecesOf(document.length) })
  const compressed = frame.length < document.length
  return { payload: compressed ? frame : document, compressed }
}

/**
 * Returns the document of an opened payload; no more than `length` bytes are ever inflated.
 *
 * @throws `bundle/unreadable` when the document does not have the length it was sealed with
 */
export async function unpack({
  payload,
  compressed,
  length,
}: {
  readonly payload: Uint8Array
  readonly compressed: boolean
  readonly length: number
}): Promise<Uint8Array> {
  const document = compressed ? await inflate(payload, length) : payload
  if (document.length !== length) throw unreadable('it does not hold the document it promises')
  return document
}

async function inflate(payload: Uint8Array, length: number): Promise<Uint8Array> {
  try {
    const { decompress } = workerFor(length)
    const { buffer, byteOffset, byteLength } = await decompress(payload, {
      maxOutputLength: Math.max(1, length),
      ...inPiecesOf(length),
    })
    return new Uint8Array(buffer, byteOffset, byteLength)
  } catch {
    throw unreadable('it does not hold the document it promises')
  }
}

const workerFor = (length: number) => (length <= short ? here : inOtherThread)

/** The default of 16 KiB costs a large document hundreds of turns of the event loop. */
const inPiecesOf = (length: number): Pick<ZstdOptions, 'chunkSize'> => ({
  chunkSize: Math.min(Math.max(length, 1024), 1_048_576),
})
