import { createHash } from 'node:crypto'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { releaseBuffer } from '../platform/release-buffer.ts'
import {
  type ChunkStream,
  openChunk,
  payloadLength,
  sealedChunk,
  sealedLength,
  sealer,
} from './chunks.ts'
import { sizes } from './envelope.ts'
import { compression, mismatch, transformStream } from './payload.ts'

type Pieces = AsyncIterable<Uint8Array>

/** The parameters of opening besides the pieces. */
export type Terms = {
  readonly stream: ChunkStream
  readonly salt: Uint8Array
  readonly compressed: boolean
  /** The length of the document, in bytes. */
  readonly length: number
  /** The length of all sealed chunks, in bytes. */
  readonly sealed: number
}

/** Opened bytes, and the sha256 of the salt and the document in hexadecimal. */
export type HashedBytes = { readonly bytes: Uint8Array<ArrayBuffer>; readonly sum: string }

/** The length of the pieces that zstd outputs, in bytes. */
const outputSize = { chunkSize: sizes.chunk }

/**
 * Opens an envelope whose chunks come one by one, `sealed` bytes in all. Inflates at most `length`
 * bytes.
 *
 * @throws `bundle/unreadable`
 */
export async function openPieces(
  { stream, salt, compressed, length, sealed }: Terms,
  pieces: Pieces,
): Promise<HashedBytes> {
  const sum = createHash('sha256').update(salt)
  const document = new Uint8Array(length)
  let filled = 0
  const take = (part: Uint8Array) => {
    if (filled + part.length > length) throw mismatch()
    document.set(part, filled)
    sum.update(part)
    filled += part.length
  }
  const payload = openPiecewise(stream, sealed, pieces)
  if (compressed) await inflate(payload, take)
  else await forEachPiece(payload, take)
  if (filled !== length) throw mismatch()
  return { bytes: document, sum: sum.digest('hex') }
}

async function forEachPiece(pieces: Pieces, take: (piece: Uint8Array) => void): Promise<void> {
  for await (const piece of pieces) {
    take(piece)
    releaseBuffer(piece)
  }
}

async function inflate(pieces: Pieces, take: (part: Uint8Array) => void): Promise<void> {
  try {
    await transformStream(createZstdDecompress(outputSize), { pieces, take })
  } catch (error) {
    // The details of a zstd error are useless to the caller.
    throw error instanceof Error && 'errno' in error ? mismatch() : error
  }
}

/** Opens each chunk in place. */
async function* openPiecewise(
  stream: ChunkStream,
  sealed: number,
  pieces: Pieces,
): AsyncGenerator<Uint8Array> {
  const last = Math.ceil(sealed / sealedChunk) - 1
  let index = 0
  for await (const box of pieces) {
    const message = box.subarray(sizes.overhead, sizes.overhead + payloadLength(box.length))
    openChunk(stream, { position: { index, last: index === last }, box, message })
    index += 1
    yield message
  }
}

const tooLong = new Error('The frame is not shorter than the document.')

/**
 * Seals a document that comes in pieces in one blob. Returns its sealed chunks, or `undefined` when
 * compression does not shorten the document.
 */
export async function sealPieces(
  { stream, salt, compressed, length }: Omit<Terms, 'sealed'>,
  pieces: Pieces,
): Promise<HashedBytes | undefined> {
  const sum = createHash('sha256').update(salt)
  const bytes = new Uint8Array(sealedLength(length))
  const chunks = sealer(stream, bytes)
  let left = compressed ? length - 1 : length
  const sealPart = (part: Uint8Array) => {
    left -= part.length
    if (left < 0) throw tooLong
    chunks.add(part)
  }
  const hashPiece = (piece: Uint8Array) => {
    sum.update(piece)
    return piece
  }
  const frame = () => createZstdCompress({ ...compression, chunkSize: sizes.chunk })
  try {
    if (compressed) await transformStream(frame(), { pieces, inspect: hashPiece, take: sealPart })
    else await addPieces(pieces, (piece) => sealPart(hashPiece(piece)))
  } catch (error) {
    if (error === tooLong) return undefined
    throw error
  }
  return { bytes: bytes.subarray(0, chunks.end()), sum: sum.digest('hex') }
}

async function addPieces(pieces: Pieces, add: (piece: Uint8Array) => void): Promise<void> {
  for await (const piece of pieces) {
    add(piece)
    releaseBuffer(piece)
  }
}
