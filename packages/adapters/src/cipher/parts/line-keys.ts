import { hash } from 'node:crypto'
import { deriveKeys } from '../hashes.ts'
import { entrySizes } from './list-node.ts'

/** The secrets of a line, derived from its key: nobody without it can tell what is equal. */
export type LineKeys = {
  /** The key of the cutter. */
  readonly cuts: Uint8Array
  /** Returns the id of a chunk, as a text with a character for each byte (latin1). */
  readonly chunkId: (chunk: Uint8Array) => string
  /** Returns the id of an encoded node. */
  readonly nodeId: (node: Uint8Array) => Buffer
  /** Returns the key that exactly these bytes are sealed under. */
  readonly keyOf: (codec: PartCodec, bytes: Uint8Array) => Buffer
}

/** The encodings of sealed bytes: a chunk, the zstd frame of one, a node. */
export type PartCodec = (typeof partCodecs)[keyof typeof partCodecs]

/** The numbers of the encodings, which are part of the derivation of a key. */
export const partCodecs = { plain: 0, zstd: 1, node: 2 } as const

/** Derives the secrets of a line from its key of 32 bytes. */
export function lineKeysOf(lineKey: Uint8Array): LineKeys {
  const keys = deriveKeys(lineKey, ['cuts', 'chunk-id', 'node-id', 'part-key'])
  const hashes = {
    chunkId: keyedHash(keys['chunk-id']),
    nodeId: keyedHash(keys['node-id']),
    partKey: keyedHash(keys['part-key']),
  }
  const short = (of: KeyedHash) => (bytes: Uint8Array) => of(bytes).slice(0, entrySizes.id)
  const nodeId = short(hashes.nodeId)
  return {
    cuts: keys.cuts,
    chunkId: short(hashes.chunkId),
    nodeId: (node) => bytesOf(nodeId(node)),
    keyOf: (codec, bytes) => bytesOf(hashes.partKey(bytes, codec)),
  }
}

const lengths = { block: 64, result: 32 } as const

/**
 * Returns the HMAC-SHA256 of a message, or of one byte and the message, as a text with a character for
 * each byte (latin1): a buffer for each of many takes twice the time, and memory outside the heap.
 */
type KeyedHash = (message: Uint8Array, before?: number) => string

/**
 * Returns HMAC-SHA256 under a key of 32 bytes, for many messages: the key is prepared once, and each
 * message takes two one-shot hashes, which are faster than `createHmac`.
 */
function keyedHash(key: Uint8Array): KeyedHash {
  let inner = padded(key, 0x36, 8192)
  const outer = padded(key, 0x5c, lengths.result)
  return (message, before) => {
    const start = lengths.block + (before === undefined ? 0 : 1)
    if (inner.length < start + message.length) inner = padded(key, 0x36, 2 * message.length)
    if (before !== undefined) inner[lengths.block] = before
    inner.set(message, start)
    outer.write(
      hash('sha256', inner.subarray(0, start + message.length), 'binary'),
      lengths.block,
      'binary',
    )
    return hash('sha256', outer, 'binary')
  }
}

/** Returns a padded key with room for a message after it. */
function padded(key: Uint8Array, pad: number, room: number): Buffer {
  const bytes = Buffer.alloc(lengths.block + room, 0)
  for (let at = 0; at < lengths.block; at++) bytes[at] = (key[at] ?? 0) ^ pad
  return bytes
}

/** Returns bytes as a text with a character for each (latin1), such as the key of a map. */
export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Returns the bytes of such a text. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
