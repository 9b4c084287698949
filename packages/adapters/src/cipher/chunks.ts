import { sizes } from './envelope.ts'
import type { Secretbox } from './secretbox.ts'
import { unreadable } from './unreadable.ts'

/** The key and the nonce prefix that all chunks of one envelope share, and who seals them. */
export type Stream = {
  readonly secretbox: Secretbox
  readonly key: Uint8Array
  readonly chunkPrefix: Uint8Array
}

/** The length of every sealed chunk but the last, in bytes. */
export const sealedChunk = sizes.chunk + sizes.overhead

/** Tells how long a payload is once it is sealed, in bytes. */
export const sealedLength = (payload: number): number =>
  payload + Math.max(1, Math.ceil(payload / sizes.chunk)) * sizes.overhead

/**
 * Tells how long the payload of sealed chunks is, in bytes.
 *
 * @throws `bundle/unreadable`
 */
export function payloadLength(sealed: number): number {
  const final = sealed % sealedChunk
  // A last chunk that could hold nothing: bytes are missing, or were added.
  if (final > 0 && final < sizes.overhead) throw unreadable('it was altered or cut short')
  return sealed - Math.ceil(sealed / sealedChunk) * sizes.overhead
}

/** A writer of sealed chunks. */
export type Sealer = {
  /** Writes a part of the payload; those of one payload have room if their sum has. */
  add(part: Uint8Array): void
  /** Seals the last chunk and returns how many bytes all chunks have. */
  end(): number
}

/** Returns what seals a payload, part by part, into `room`, which is as long as `sealedLength` tells. */
export function sealer(stream: Stream, room: Uint8Array): Sealer {
  let index = 0
  let filled = 0
  // The text of a chunk is put where its box will be, so that a chunk needs no other room.
  const start = () => index * sealedChunk + sizes.overhead
  const seal = (last: boolean) => {
    stream.secretbox.seal({
      message: room.subarray(start(), start() + filled),
      box: room.subarray(start() - sizes.overhead, start() + filled),
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
        room.set(some, start() + filled)
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

/** Which chunk of how many. */
export type Place = { readonly index: number; readonly last: boolean }

/**
 * Opens one sealed chunk into `message`, which is 16 bytes shorter.
 *
 * @throws `bundle/unreadable`
 */
export function openChunk(
  stream: Stream,
  { place, box, message }: { readonly place: Place } & Record<'box' | 'message', Uint8Array>,
): void {
  const nonce = nonceOf(stream, place)
  const opened = stream.secretbox.open({ message, box, nonce, key: stream.key })
  if (!opened) throw unreadable('it was altered or cut short')
}

/** Cuts sealed chunks apart. */
export function* chunksOf(
  sealed: Uint8Array,
): Generator<{ readonly place: Place; readonly box: Uint8Array }> {
  const count = Math.ceil(sealed.length / sealedChunk)
  for (let index = 0; index < count; index += 1) {
    const box = sealed.subarray(index * sealedChunk, (index + 1) * sealedChunk)
    yield { place: { index, last: index === count - 1 }, box }
  }
}

/**
 * Opens what a `sealer` sealed into `payload`, which is as long as `payloadLength` tells.
 *
 * @throws `bundle/unreadable`
 */
export function openChunks(stream: Stream, sealed: Uint8Array, payload: Uint8Array): void {
  for (const { place, box } of chunksOf(sealed)) {
    const start = place.index * sizes.chunk
    openChunk(stream, { place, box, message: payload.subarray(start, start + sizes.chunk) })
  }
}

function nonceOf({ chunkPrefix }: Stream, { index, last }: Place): Uint8Array {
  const nonce = Buffer.allocUnsafe(sizes.nonce)
  nonce.set(chunkPrefix)
  nonce.writeUInt32BE(index, sizes.chunkPrefix)
  nonce[sizes.nonce - 1] = last ? 1 : 0
  return nonce
}
