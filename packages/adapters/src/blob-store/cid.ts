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
