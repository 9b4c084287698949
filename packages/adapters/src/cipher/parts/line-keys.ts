import { deriveKeys } from '../hkdf.ts'
import { bytesOf } from './id-text.ts'
import { type KeyedHash, keyedHash } from './keyed-hash.ts'
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
