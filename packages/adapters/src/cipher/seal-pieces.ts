import { createHash } from 'node:crypto'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { releaseBuffer } from '../platform/release-buffer.ts'
import {
  openChunk,
  payloadLength,
  type Stream,
  sealedChunk,
  sealedLength,
  sealer,
} from './chunks.ts'
import { sizes } from './envelope.ts'
import { broken, compression } from './payload.ts'
import { through } from './transform-stream.ts'

type Pieces = AsyncIterable<Uint8Array>

/** What both ways need to know besides the pieces. */
export type Terms = {
  readonly stream: Stream
  readonly salt: Uint8Array
  readonly compressed: boolean
  /** How long the document is, in bytes. */
  readonly length: number
  /** How many bytes all sealed chunks have; only who opens them knows. */
  readonly sealed: number
}

/** Sealed or opened bytes, and the sha256 of the salt and the document in hexadecimal. */
export type Summed = { readonly bytes: Uint8Array<ArrayBuffer>; readonly sum: string }

/** What zstd makes is taken from it in pieces of this length, in bytes. */
const flow = { chunkSize: sizes.chunk }

const tooLong = new Error('The frame is not shorter than the document.')

/**
 * Seals a document that comes in pieces. Returns the envelope, its head still to be written;
 * nothing when compressing does not shorten the document.
 */
export async function sealPieces(
  { stream, salt, compressed, length }: Omit<Terms, 'sealed'>,
  pieces: Pieces,
): Promise<Summed | undefined> {
  const sum = createHash('sha256').update(salt)
  const room = new Uint8Array(sizes.head + sealedLength(length))
  const chunks = sealer(stream, room.subarray(sizes.head))
  let left = compressed ? length - 1 : length
  const seal = (part: Uint8Array) => {
    left -= part.length
    if (left < 0) throw tooLong
    chunks.add(part)
  }
  const note = (piece: Uint8Array) => {
    sum.update(piece)
    return piece
  }
  try {
    if (compressed)
      await through(createZstdCompress({ ...compression, ...flow }), { pieces, note, take: seal })
    else await plainly(pieces, (piece) => seal(note(piece)))
  } catch (error) {
    if (error === tooLong) return undefined
    throw error
  }
  return { bytes: room.subarray(0, sizes.head + chunks.end()), sum: sum.digest('hex') }
}

/**
 * Opens an envelope whose chunks come one by one, `sealed` bytes in all. No more than
 * `length` bytes are ever inflated.
 *
 * @throws `bundle/unreadable`
 */
export async function openPieces(
  { stream, salt, compressed, length, sealed }: Terms,
  pieces: Pieces,
): Promise<Summed> {
  const sum = createHash('sha256').update(salt)
  const document = new Uint8Array(length)
  let filled = 0
  const take = (part: Uint8Array) => {
    if (filled + part.length > length) throw broken()
    document.set(part, filled)
    sum.update(part)
    filled += part.length
  }
  const payload = opened(stream, sealed, pieces)
  if (compressed) await inflate(payload, take)
  else await plainly(payload, take)
  if (filled !== length) throw broken()
  return { bytes: document, sum: sum.digest('hex') }
}

async function plainly(pieces: Pieces, take: (piece: Uint8Array) => void): Promise<void> {
  for await (const piece of pieces) {
    take(piece)
    releaseBuffer(piece)
  }
}

async function inflate(pieces: Pieces, take: (part: Uint8Array) => void): Promise<void> {
  try {
    await through(createZstdDecompress(flow), { pieces, take })
  } catch (error) {
    // What zstd says of a frame is of no use to anyone but who wrote it.
    throw error instanceof Error && 'errno' in error ? broken() : error
  }
}

/** Opens each chunk where it is. */
async function* opened(stream: Stream, sealed: number, pieces: Pieces): AsyncGenerator<Uint8Array> {
  const last = Math.ceil(sealed / sealedChunk) - 1
  let index = 0
  for await (const box of pieces) {
    const message = box.subarray(sizes.overhead, sizes.overhead + payloadLength(box.length))
    openChunk(stream, { place: { index, last: index === last }, box, message })
    index += 1
    yield message
  }
}
