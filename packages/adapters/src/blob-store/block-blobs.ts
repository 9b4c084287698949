import { hash } from 'node:crypto'
import { type Digest, digest, type OpenBlobStore } from '@heirloom/core'
import type { CID } from 'multiformats/cid'
import { type BlobClaims, rootOf } from './blob-claims.ts'
import { blobFailure, unavailable } from './blob-failure.ts'
import { cidOf, digestOf, rawCode, treeCode } from './cid.ts'
import { concatenate } from './concatenate.ts'
import type { DurableBlockstore } from './durable-blockstore.ts'
import { leaves } from './leaves.ts'
import { removeBlob, removeBlocks } from './removal.ts'
import { mayBeTree, partsOf } from './tree-parts.ts'
import type { Trees } from './unixfs-trees.ts'

/** The longest block of a tree, and the longest blob without a head that is one block, in bytes. */
const blockLength = 1_048_576

/** The longest blob with a head that is one block, in bytes. */
const longestWithHead = 131_072

/** The blocks of a store, and what is around them. */
export type BlobParts = {
  /** Loads UnixFS at the first call; a store of single blocks never needs it. */
  readonly trees: () => Promise<Trees>
  /** The blocks that this store has itself. */
  readonly blocks: BlockSource & Pick<DurableBlockstore, 'delete'>
  /** Those blocks and what peers have, if there are any. */
  readonly store: BlockSource
  readonly claims: BlobClaims
  /** Stores blocks on other nodes, too; throws when too few have them. */
  readonly replicate?: ((cids: readonly CID[]) => Promise<void>) | undefined
}

/** Blocks as the reader and writer of blobs needs them. */
export type BlockSource = Pick<DurableBlockstore, 'has' | 'put' | 'read'>

/**
 * Stores blobs as IPFS blocks. A blob of 128 KiB or less is one raw block, and its digest is the
 * sha2-256 of its bytes. A longer one is a UnixFS tree whose first leaf is exactly its head, so that
 * reading the head reads the root and that leaf; its digest is that of the root. For a blob without a
 * head the limit is 1 MiB.
 */
export function blobsInBlocks(parts: BlobParts): Omit<OpenBlobStore, 'close'> {
  const local = { ...parts, store: parts.blocks }
  return {
    put: (bytes, headLength) => put(parts, { bytes, headLength }),
    get: (digest) => get(parts, digest),
    head: (digest) => head(parts, digest),
    local: { get: (digest) => get(local, digest), head: (digest) => head(local, digest) },
    remove: async (digest) => {
      await removeBlob(parts, digest)
      parts.claims.settle(digest)
    },
    claim: async (digest) => parts.claims.settle(digest),
    sweep: (isReferenced) => sweep(parts, isReferenced),
  }
}

async function sweep(
  parts: BlobParts,
  isReferenced: (digest: Digest) => Promise<boolean>,
): Promise<void> {
  for (const { cids, settle } of parts.claims.orphans) {
    const root = rootOf(cids)
    if (root !== undefined && !(await isReferenced(root))) await removeBlocks(parts, cids)
    settle()
  }
}

type Blob = { readonly bytes: Uint8Array; readonly headLength: number | undefined }

async function put(parts: BlobParts, blob: Blob): Promise<Digest> {
  try {
    const unclaimed = parts.claims.begin()
    const cids: CID[] = []
    const stored = await write(parts, blob, (cid) => {
      cids.push(cid)
      unclaimed.add(cid)
    })
    unclaimed.end(stored)
    await parts.replicate?.(cids)
    return stored
  } catch (error) {
    throw unavailable('store a blob', error)
  }
}

async function write(
  parts: BlobParts,
  { bytes, headLength }: Blob,
  before: (cid: CID) => void,
): Promise<Digest> {
  const { trees, store } = parts
  const longest = headLength === undefined ? blockLength : longestWithHead
  if (bytes.length > longest || (await lengthOfTree(parts, bytes)) !== undefined) {
    const files = (await trees()).files(store, before)
    const chunker = chunkerWithHead(headLength)
    const options = { reduceSingleLeafToSelf: false, chunker, bufferImporter: leaves }
    return digestOf(await files.addBytes(bytes, options))
  }
  const stored = digest(`0x${hash('sha256', bytes)}`)
  const cid = cidOf(stored, rawCode)
  before(cid)
  await store.put(cid, bytes)
  return stored
}

/** Returns a chunker that cuts a blob into views, the first of which is its head. */
function chunkerWithHead(headLength = 0) {
  return async function* (blobs: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const blob of blobs) {
      if (headLength > 0) yield blob.subarray(0, headLength)
      for (let at = headLength; at < blob.length; at += blockLength) {
        yield blob.subarray(at, at + blockLength)
      }
    }
  }
}

async function rootBlock({ store }: BlobParts, digest: Digest): Promise<Uint8Array> {
  return store.read(cidOf(digest, rawCode)).catch((error: unknown) => {
    throw blobFailure({ digest, error, missing: 'blob/not-found' })
  })
}

/** Returns the first leaf of the tree of a blob, or the one block that it is. */
async function head(parts: BlobParts, digest: Digest): Promise<Uint8Array> {
  const { trees, store } = parts
  let block = await rootBlock(parts, digest)
  for (let code = treeCode; code === treeCode && mayBeTree(block); ) {
    const [first] = partsOf(block, (await trees()).codec)
    if (first === undefined) return block
    code = first.cid.code
    block = await store.read(first.cid).catch((error: unknown) => {
      throw blobFailure({ digest, error, missing: 'blob/corrupt' })
    })
  }
  return block
}

async function get(parts: BlobParts, digest: Digest): Promise<Uint8Array> {
  const { trees, store } = parts
  const root = await rootBlock(parts, digest)
  const length = await lengthOfTree(parts, root)
  if (length === undefined) return root
  // Children are written before the root, so a missing child is corruption.
  const files = (await trees()).files(store)
  const contents = files.cat(cidOf(digest, treeCode))
  return concatenate(contents, length).catch((error: unknown) => {
    throw blobFailure({ digest, error, missing: 'blob/corrupt' })
  })
}

/** Returns the total length of the parts of a tree; `undefined` for a block that is no root. */
async function lengthOfTree({ trees }: BlobParts, block: Uint8Array): Promise<number | undefined> {
  if (!mayBeTree(block)) return undefined
  const parts = partsOf(block, (await trees()).codec)
  return parts.length === 0 ? undefined : parts.reduce((sum, { length }) => sum + length, 0)
}
