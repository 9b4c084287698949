import { sizes } from './envelope.ts'
import type { Secretbox } from './secretbox.ts'
import { unreadable } from './sections.ts'

/** The key, the nonce prefix and the secretbox of all chunks of one envelope. */
export type ChunkStream = {
  readonly secretbox: Secretbox
  readonly key: Uint8Array
  readonly chunkPrefix: Uint8Array
}

/** The length of every sealed chunk but the last, in bytes. */
export const sealedChunk = sizes.chunk + sizes.overhead

/** Returns the length of a payload once it is sealed, in bytes. */
export const sealedLength = (payload: number): number =>
  payload + Math.max(1, Math.ceil(payload / sizes.chunk)) * sizes.overhead

/**
 * Returns the length of the payload of sealed chunks, in bytes.
 *
 * @throws `bundle/unreadable`
 */
export function payloadLength(sealed: number): number {
  const final = sealed % sealedChunk
  // The last chunk is too short for any content: bytes are missing, or were added.
  if (final > 0 && final < sizes.overhead) throw unreadable('it was altered or cut short')
  return sealed - Math.ceil(sealed / sealedChunk) * sizes.overhead
}

/** A writer of sealed chunks. */
export type Sealer = {
  /** Adds a part of the payload, and seals each chunk that is full. */
  add(part: Uint8Array): void
  /** Seals the last chunk and returns the length of all chunks, in bytes. */
  end(): number
}

/** Returns a sealer that writes into `target`, which is `sealedLength` bytes long for the payload. */
export function sealer(stream: ChunkStream, target: Uint8Array): Sealer {
  let index = 0
  let filled = 0
  // The plaintext of a chunk is placed where its box will be, so that no other buffer is needed.
  const start = () => index * sealedChunk + sizes.overhead
  const seal = (last: boolean) => {
    stream.secretbox.seal({
      message: target.subarray(start(), start() + filled),
      box: target.subarray(start() - sizes.overhead, start() + filled),
      nonce: nonceOf(stream, { index, last }),
      key: stream.key,
    })
  }
  const next = () => {
    seal(false)
    index += 1
    filled = 0
  }
  return {
    add(part) {
      for (let at = 0; at < part.length; ) {
        if (filled === sizes.chunk) next()
        const some = part.subarray(at, at + sizes.chunk - filled)
        target.set(some, start() + filled)
        filled += some.length
        at += some.length
      }
    },
    end() {
      seal(true)
      return start() + filled
    },
  }
}

/** The position of a chunk in its envelope. */
export type ChunkPosition = { readonly index: number; readonly last: boolean }

/**
 * Opens one sealed chunk into `message`, which is 16 bytes shorter.
 *
 * @throws `bundle/unreadable`
 */
export function openChunk(
  stream: ChunkStream,
  {
    position,
    box,
    message,
  }: { readonly position: ChunkPosition } & Record<'box' | 'message', Uint8Array>,
): void {
  const nonce = nonceOf(stream, position)
  const opened = stream.secretbox.open({ message, box, nonce, key: stream.key })
  if (!opened) throw unreadable('it was altered or cut short')
}

/** Splits sealed chunks. */
export function* chunksOf(
  sealed: Uint8Array,
): Generator<{ readonly position: ChunkPosition; readonly box: Uint8Array }> {
  const count = Math.ceil(sealed.length / sealedChunk)
  for (let index = 0; index < count; index += 1) {
    const box = sealed.subarray(index * sealedChunk, (index + 1) * sealedChunk)
    yield { position: { index, last: index === count - 1 }, box }
  }
}

/**
 * Opens the chunks of a `sealer` into `payload`, which is `payloadLength` bytes long.
 *
 * @throws `bundle/unreadable`
 */
export function openChunks(stream: ChunkStream, sealed: Uint8Array, payload: Uint8Array): void {
  for (const { position, box } of chunksOf(sealed)) {
    const start = position.index * sizes.chunk
    openChunk(stream, { position, box, message: payload.subarray(start, start + sizes.chunk) })
  }
}

function nonceOf({ chunkPrefix }: ChunkStream, { index, last }: ChunkPosition): Uint8Array {
  const nonce = Buffer.allocUnsafe(sizes.nonce)
  nonce.set(chunkPrefix)
  nonce.writeUInt32BE(index, sizes.chunkPrefix)
  nonce[sizes.nonce - 1] = last ? 1 : 0
  return nonce
}
