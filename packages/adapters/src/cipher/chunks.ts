import { setImmediate } from 'node:timers/promises'
import { sizes } from './envelope.ts'
import type { Secretbox } from './secretbox.ts'
import { unreadable } from './unreadable.ts'

/** The key and the nonce prefix that all chunks of one envelope share, and who seals them. */
export type Stream = {
  readonly secretbox: Secretbox
  readonly dataKey: Uint8Array
  readonly chunkPrefix: Uint8Array
}

const sealedChunk = sizes.chunk + sizes.overhead

/** Tells how long a payload is once it is sealed, in bytes. */
export const sealedLength = (payload: number): number =>
  payload + Math.max(1, Math.ceil(payload / sizes.chunk)) * sizes.overhead

/** Seals a payload into `sealed`, which is as long as `sealedLength` tells. */
export async function sealChunks(
  stream: Stream,
  { payload, sealed }: { readonly payload: Uint8Array; readonly sealed: Uint8Array },
): Promise<void> {
  for (const { index, last } of chunksOf(sealed.length)) {
    stream.secretbox.seal({
      message: payload.subarray(index * sizes.chunk, (index + 1) * sizes.chunk),
      box: sealed.subarray(index * sealedChunk, (index + 1) * sealedChunk),
      nonce: nonceOf(stream, { index, last }),
      key: stream.dataKey,
    })
    // Others take their turn between two chunks; a large bundle would hold them all up otherwise.
    if (!last) await setImmediate()
  }
}

/**
 * Opens what `sealChunks` sealed.
 *
 * @throws `bundle/unreadable`
 */
export async function openChunks(stream: Stream, sealed: Uint8Array): Promise<Uint8Array> {
  const payload = new Uint8Array(payloadLength(sealed.length))
  for (const { index, last } of chunksOf(sealed.length)) {
    const opened = stream.secretbox.open({
      message: payload.subarray(index * sizes.chunk, (index + 1) * sizes.chunk),
      box: sealed.subarray(index * sealedChunk, (index + 1) * sealedChunk),
      nonce: nonceOf(stream, { index, last }),
      key: stream.dataKey,
    })
    if (!opened) throw unreadable('it was altered or cut short')
    if (!last) await setImmediate()
  }
  return payload
}

function payloadLength(sealed: number): number {
  const final = sealed % sealedChunk
  // A last chunk that could hold nothing: bytes are missing, or were added.
  if (final > 0 && final < sizes.overhead) throw unreadable('it was altered or cut short')
  return sealed - Math.ceil(sealed / sealedChunk) * sizes.overhead
}

function* chunksOf(sealed: number): Generator<{ readonly index: number; readonly last: boolean }> {
  const count = Math.ceil(sealed / sealedChunk)
  for (let index = 0; index < count; index += 1) yield { index, last: index === count - 1 }
}

function nonceOf(
  { chunkPrefix }: Stream,
  { index, last }: { readonly index: number; readonly last: boolean },
): Uint8Array {
  const nonce = Buffer.alloc(sizes.nonce)
  nonce.set(chunkPrefix)
  nonce.writeUInt32BE(index, sizes.chunkPrefix)
  nonce[sizes.nonce - 1] = last ? 1 : 0
  return nonce
}
