import { hash, subtle } from 'node:crypto'
import { type Digest, digest } from '@heirloom/core'
import { CID } from 'multiformats/cid'
import * as multihash from 'multiformats/hashes/digest'
import { sha256 } from 'multiformats/hashes/sha2'

/** The codec of raw blocks. */
export const rawCode = 0x55

/** The codec of tree nodes, dag-pb. */
export const treeCode = 0x70

/** Returns the CID of the block with a digest. */
export const cidOf = (of: Digest, code: number): CID =>
  CID.createV1(code, multihash.create(sha256.code, Buffer.from(of.slice(2), 'hex')))

/** Returns the digest of a CID. */
export const digestOf = (cid: CID): Digest =>
  digest(`0x${Buffer.from(cid.multihash.digest).toString('hex')}`)

/** Up to this length, in bytes, handing bytes to the thread pool takes about as long as the hash. */
const syncLimit = 131_072

/** Returns the sha2-256 of bytes in hexadecimal; long inputs are hashed off the event loop. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= syncLimit) return hash('sha256', bytes)
  const sum = await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(sum).toString('hex')
}

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
