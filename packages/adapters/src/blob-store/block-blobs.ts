import { hash } from 'node:crypto'
import {
  type Digest,
  digest,
  type LengthBound,
  type OpenBlobStore,
  type Stretch,
  viewOf,
} from '@heirloom/core'
import type { CID } from 'multiformats/cid'
import { inParallel } from '../platform/in-parallel.ts'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { type BlobClaims, rootOf } from './blob-claims.ts'
import { blobFailure, unavailable } from './blob-failure.ts'
import { cidOf, digestOf, rawCode } from './cid.ts'
import type { DurableBlockstore } from './durable-blockstore.ts'
import { listBlob, removeBlob, removeBlocks } from './removal.ts'
import { blockLength, leaves, leavesOf, longestWithHead, MalformedTree } from './tree-leaves.ts'
import { mayBeTree, type Part, partsOf, type Trees } from './unixfs-trees.ts'

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
    get: (digest, range) => get(parts, digest, range),
    head: (digest) => head(parts, digest),
    local: {
      get: (digest, range) => get(local, digest, range),
      head: (digest) => head(local, digest),
      measure: (digest) => measure(local, digest),
    },
    remove: async (digest) => {
      await removeBlob(parts, digest)
      parts.claims.settle(digest)
    },
    claim: async (digest) => parts.claims.settle(digest),
    parts: (digest) => listBlob(parts, digest),
    removeParts: async (digests) => {
      await removeBlocks(
        parts,
        digests.map((it) => cidOf(it, rawCode)),
      )
      for (const digest of digests) parts.claims.settle(digest)
    },
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
  refuseLongHead(blob)
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

/** Refuses a head that no reader accepts, before anything is stored. */
function refuseLongHead({ headLength = 0 }: Blob): void {
  if (headLength <= longestWithHead) return
  throw new RangeError(`The head has ${headLength} bytes, of at most ${longestWithHead}.`)
}

async function write(
  parts: BlobParts,
  { bytes, headLength }: Blob,
  before: (cid: CID) => void,
): Promise<Digest> {
  const { trees, store } = parts
  const longest = headLength === undefined ? blockLength : longestWithHead
  if (bytes.length > longest || (await isTree(parts, bytes))) {
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
  const root = await rootBlock(parts, digest)
  if (!(await isTree(parts, root))) return root
  const read = (cid: CID) => store.read(cid)
  return leavesOf({ trees, read }, root)
    .then(([first]) => read((first as Part).cid))
    .catch((error: unknown) => {
      throw blobFailure({ digest, error, missing: 'blob/corrupt' })
    })
}

async function get(
  parts: BlobParts,
  digest: Digest,
  range: Stretch | LengthBound | undefined,
): Promise<Uint8Array> {
  const { trees, store } = parts
  const root = await rootBlock(parts, digest)
  if (!(await isTree(parts, root))) return viewOf({ digest, bytes: root }, range)
  const read = (cid: CID) => store.read(cid)
  // Children are written before the root, so a missing child is corruption.
  return leavesOf({ trees, read }, root)
    .then((leaves) => join(leaves, read, range))
    .catch((error: unknown) => {
      throw blobFailure({ digest, error, missing: 'blob/corrupt' })
    })
}

/** The number of leaves that are read at once. */
const readAtOnce = 8

/** Returns the content of leaves, or a stretch of it; reads nothing of content beyond a bound. */
async function join(
  leaves: readonly Part[],
  read: (cid: CID) => Promise<Uint8Array>,
  range: Stretch | LengthBound = { atMost: Number.POSITIVE_INFINITY },
): Promise<Uint8Array> {
  const placed = place(leaves)
  const total = placed.at(-1)?.end ?? 0
  if ('atMost' in range && total > range.atMost) throw new MalformedTree()
  const { offset, length } = 'atMost' in range ? { offset: 0, length: total } : range
  const [from, to] = [Math.min(offset, total), Math.min(offset + length, total)]
  const whole = new Uint8Array(to - from)
  const needed = placed.filter(({ start, end }) => start < to && end > from)
  await inParallel(needed, readAtOnce, async ({ cid, start, end }) => {
    const leaf = await read(cid)
    if (leaf.length !== end - start) throw new MalformedTree()
    const piece = leaf.subarray(Math.max(from - start, 0), to - start)
    whole.set(piece, Math.max(start - from, 0))
    releaseBuffer(leaf)
  })
  return whole
}

/**
 * Reads each leaf of a blob once and returns the length of the blob. A stranger can write a tree that
 * has one leaf any number of times.
 */
async function measure(parts: BlobParts, digest: Digest): Promise<number> {
  const { trees, store } = parts
  const root = await rootBlock(parts, digest)
  if (!(await isTree(parts, root))) return root.length
  const read = (cid: CID) => store.read(cid)
  try {
    const leaves = await leavesOf({ trees, read }, root)
    for (const same of Map.groupBy(leaves, ({ cid }) => cid.toString()).values()) {
      const leaf = await read((same[0] as Part).cid)
      if (same.some(({ length }) => length !== leaf.length)) throw new MalformedTree()
      releaseBuffer(leaf)
    }
    return leaves.reduce((sum, { length }) => sum + length, 0)
  } catch (error) {
    throw blobFailure({ digest, error, missing: 'blob/corrupt' })
  }
}

function place(leaves: readonly Part[]) {
  let end = 0
  return leaves.map(({ cid, length }) => {
    end += length
    return { cid, start: end - length, end }
  })
}

/** Returns whether a block is the root of a tree. */
async function isTree({ trees }: Pick<BlobParts, 'trees'>, block: Uint8Array): Promise<boolean> {
  return mayBeTree(block) && partsOf(block, (await trees()).codec).length > 0
}
