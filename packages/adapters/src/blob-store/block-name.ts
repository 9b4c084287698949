import { hash } from 'node:crypto'
import type { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'

const sha256Name = Buffer.of(sha256.code, 32).toString('hex')

/** Returns the folder of a block in a store, by the name of the block. */
export const shardOf = (name: string): string => name.slice(-2)

/** Returns the path of a block in a store, by the name of the block. */
export const pathOf = (name: string): string => `${shardOf(name)}/${name}`

/** Returns the name of a block: its multihash in hexadecimal; `undefined` unless it is a sha2-256. */
export function nameOf({ multihash: { code, digest } }: CID): string | undefined {
  if (code !== sha256.code || digest.length !== 32) return undefined
  return nameOfDigest(digest)
}

/** Returns the name of the block with a sha2-256. */
export const nameOfDigest = (digest: Uint8Array): string =>
  sha256Name + Buffer.from(digest).toString('hex')

/** Returns the name of the block with these bytes. */
export const nameOfBytes = (bytes: Uint8Array): string => sha256Name + hash('sha256', bytes, 'hex')

/** Returns the sha2-256 in the name of a block. */
export const digestOfName = (name: string): Uint8Array =>
  Buffer.from(name.slice(sha256Name.length), 'hex')
