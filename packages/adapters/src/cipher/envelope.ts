import { createHash, hash, timingSafeEqual } from 'node:crypto'
import { unreadable } from './unreadable.ts'

/**
 * The head of a sealed bundle, version 2; whole numbers are big-endian.
 *
 *     offset  bytes  what
 *          0      4  magic, "HRLM"
 *          4      1  version, 2
 *          5      1  flags: bit 0 tells that the payload is zstd; the others are 0
 *          6      8  key id: sha256("heirloom/v2/key-id" ‖ 00 ‖ master key), its first 8 bytes
 *         14     24  nonce of the wrapped box
 *         38     19  prefix of the chunks' nonces
 *         57    120  wrapped box: the secretbox, under the master key, of
 *                      0  32  data key
 *                     32  32  salt of the content hash
 *                     64   8  length of the document
 *                     72  32  sha256 of the 57 bytes before the wrapped box
 *        177    ...  chunks
 *
 * The payload is the document, or its zstd frame. It is cut into chunks of 1 MiB, the last one
 * shorter when need be; an empty payload is one empty chunk. Each chunk is the secretbox, under the
 * data key, with the nonce prefix ‖ index of the chunk (4 bytes) ‖ 1 in the last chunk and 0 before
 * (the STREAM construction), so chunks cannot be reordered, dropped, added or taken from elsewhere.
 *
 * The salt is wrapped because a salt in clear would let whoever holds the envelope and the public
 * content hash guess a small document. The wrapped digest makes every byte of the head count.
 */
export type Head = {
  readonly compressed: boolean
  readonly keyId: Uint8Array
  readonly wrapNonce: Uint8Array
  readonly chunkPrefix: Uint8Array
}

/** What only a holder of the master key reads: the inside of the wrapped box. */
export type Secrets = {
  readonly dataKey: Uint8Array
  readonly salt: Uint8Array
  /** In bytes. */
  readonly documentLength: number
}

/** The lengths of the parts, in bytes. */
export const sizes = {
  clear: 57,
  chunk: 1_048_576,
  chunkPrefix: 19,
  head: 177,
  key: 32,
  keyId: 8,
  nonce: 24,
  overhead: 16,
  salt: 32,
  secrets: 104,
} as const

const magic = Buffer.from('HRLM', 'latin1')
const version = 2
const zstd = 1

/** Returns the name of a master key that an envelope shows; the key cannot be learnt from it. */
export function keyIdOf(masterKey: Uint8Array): Uint8Array {
  const fingerprint = createHash('sha256').update('heirloom/v2/key-id\0').update(masterKey).digest()
  return fingerprint.subarray(0, sizes.keyId)
}

/** Writes the bytes before the wrapped box. */
export function writeClear({ compressed, keyId, wrapNonce, chunkPrefix }: Head): Uint8Array {
  const fixed = Uint8Array.of(version, compressed ? zstd : 0)
  return Buffer.concat([magic, fixed, keyId, wrapNonce, chunkPrefix])
}

/**
 * Reads the head of an envelope; nothing of it is authenticated before its secrets are read.
 *
 * @throws `bundle/unreadable`
 */
export function readHead(sealed: Uint8Array): Head {
  if (!magic.equals(sealed.subarray(0, magic.length))) throw unreadable('it is not a sealed bundle')
  if (sealed[4] !== version) throw unreadable('the version of its envelope is not supported')
  if (sealed.length < sizes.head + sizes.overhead) throw unreadable('it is cut short')
  const flags = sealed[5] ?? 0
  if (flags > zstd) throw unreadable('it asks for a feature that is not supported')
  return {
    compressed: flags === zstd,
    keyId: sealed.subarray(6, 14),
    wrapNonce: sealed.subarray(14, 38),
    chunkPrefix: sealed.subarray(38, sizes.clear),
  }
}

/** Writes the inside of the wrapped box, which vouches for the clear bytes before it. */
export function writeSecrets(clear: Uint8Array, secrets: Secrets): Uint8Array {
  const written = Buffer.alloc(sizes.secrets)
  written.set(secrets.dataKey, 0)
  written.set(secrets.salt, 32)
  written.writeBigUInt64BE(BigInt(secrets.documentLength), 64)
  written.set(sha256(clear), 72)
  return written
}

/**
 * Reads the inside of the wrapped box; its parts are views of `secrets`.
 *
 * @throws `bundle/unreadable` when the clear bytes are not those that were sealed
 */
export function readSecrets(clear: Uint8Array, secrets: Uint8Array): Secrets {
  const read = Buffer.from(secrets.buffer, secrets.byteOffset, secrets.byteLength)
  if (!timingSafeEqual(read.subarray(72), sha256(clear))) throw unreadable('it was altered')
  return {
    dataKey: read.subarray(0, 32),
    salt: read.subarray(32, 64),
    documentLength: Number(read.readBigUInt64BE(64)),
  }
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')
