import { hash as digestOf } from 'node:crypto'
import { type Cipher, hash, refuseCopy, type SealContext, salt } from '@heirloom/core'
import { chunksOf, openChunks, payloadLength } from './chunks.ts'
import { type CipherParts, jobOf, sha256Of } from './cipher-parts.ts'
import { readContext } from './context-bytes.ts'
import { cryptoWorker, inlineLimit } from './crypto-worker.ts'
import { readHeader, sizes } from './envelope.ts'
import { mismatch, unpack } from './payload.ts'
import type { HashedBytes, Terms } from './seal-pieces.ts'
import { openHeader, openHidden, wipe } from './sealed-header.ts'
import { unreadable } from './unreadable.ts'

/**
 * Opens a sealed document under any of the keys, in the context that it was sealed for.
 *
 * @throws `bundle/unreadable`, `access/copied`
 */
export async function open(
  parts: CipherParts,
  sealed: Uint8Array,
  context: SealContext,
): ReturnType<Cipher['open']> {
  const { secretbox, documentLimit } = parts
  const header = readHeader(sealed)
  const keys = openHeader(header, parts)
  try {
    const { salt: saltBytes, documentLength: length } = openHidden(header, keys, secretbox)
    const chunks = sealed.subarray(header.length)
    const { sealedLength: expectedLength, chunkPrefix, compressed } = header
    if (chunks.length !== expectedLength) throw unreadable('it was cut short or prolonged')
    // The whole header is authenticated by now, and nothing of the payload is opened yet.
    refuseCopy(readContext(header.context), context)
    if (length > documentLimit) throw unreadable(`it holds more than ${documentLimit} bytes`)

    const stream = { secretbox, key: keys.payload, chunkPrefix }
    const terms = { stream, salt: saltBytes, compressed, length, sealed: chunks.length }
    const { bytes: document, sum } = await openBody(terms, chunks)
    if (sum !== Buffer.from(header.contentHash).toString('hex')) throw mismatch()
    return {
      document,
      salt: salt(`0x${Buffer.from(saltBytes).toString('hex')}`),
      contentHash: hash(`0x${sum}`),
    }
  } finally {
    wipe(keys)
  }
}

async function openBody(
  terms: Terms,
  chunks: Uint8Array,
): Promise<Pick<HashedBytes, 'sum'> & { readonly bytes: Uint8Array }> {
  if (Math.max(terms.length, payloadLength(chunks.length)) > inlineLimit) {
    return (await cryptoWorker.ask(jobOf('open', terms), {
      pieces: boxesOf(chunks),
    })) as HashedBytes
  }
  const { stream, salt, compressed, length } = terms
  // Salt and payload share a buffer, so that they are hashed without a copy.
  const salted = Buffer.allocUnsafe(sizes.salt + payloadLength(chunks.length))
  salted.set(salt)
  const payload = salted.subarray(sizes.salt)
  openChunks(stream, chunks, payload)
  const bytes = unpack({ payload, compressed, length })
  return { bytes, sum: compressed ? sha256Of(salt, bytes) : digestOf('sha256', salted) }
}

function* boxesOf(chunks: Uint8Array): Generator<Uint8Array> {
  for (const { box } of chunksOf(chunks)) yield box
}
