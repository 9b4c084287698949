import { createHash } from 'node:crypto'
import { createZstdCompress } from 'node:zlib'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { sealedLength, sealer } from './chunks.ts'
import { sizes } from './envelope.ts'
import type { HashedBytes, Terms } from './open-pieces.ts'
import { compression } from './payload.ts'
import { transformStream } from './transform-stream.ts'

type Pieces = AsyncIterable<Uint8Array>

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
