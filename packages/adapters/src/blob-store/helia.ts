import { hash } from 'node:crypto'
import { join } from 'node:path'
import { type BlobStorage, type Digest, digest, type OpenBlobStore } from '@heirloom/core'
import type { Helia } from 'helia'
import { memoize } from '../platform/memoize.ts'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { type BlobClaims, openBlobClaims, rootOf, type UnclaimedBlob } from './blob-claims.ts'
import { blobFailure, unavailable } from './blob-failure.ts'
import { isSystemError } from './block-error.ts'
import { cidOf, digestOf, rawCode, treeCode } from './cid.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { leaves } from './leaves.ts'
import type { Network } from './network.ts'
import { removeBlob, removeBlocks } from './removal.ts'
import { mayBeTree, partsOf } from './tree-parts.ts'
import { loadTrees, type Trees } from './unixfs-trees.ts'
import { verifyBlocks } from './verify-blocks.ts'

/** The longest block of a tree, and the longest blob without a head that is one block, in bytes. */
const blockLength = 1_048_576

/** The longest blob with a head that is one block, in bytes. */
const longestWithHead = 131_072

/**
 * Opens a folder of IPFS blocks, which no other process may have open.
 *
 * A blob of 128 KiB or less is one raw block, and its digest is the sha2-256 of its bytes. A longer
 * one is a UnixFS tree whose first leaf is exactly its head, so that reading the head reads the root
 * and that leaf; its digest is that of the root. For a blob without a head the limit is 1 MiB.
 * Without `network` the store opens no port and sends no request.
 *
 * @throws `blob/unavailable` when the folder cannot be created or read
 *
 * @example
 * const store = await heliaBlobStore({ folder: '.heirloom/blobs' })
 * const digest = await store.put(sealed)
 * await store.get(digest)
 */
export async function heliaBlobStore({
  folder,
  network: input,
}: heliaBlobStore.Input): Promise<heliaBlobStore.Output> {
  const { blocks, claims } = await openFolder(folder)
  const joined = input && (await joinPeers(blocks, { ...input, folder }))
  const parts: Parts = { trees: memoize(loadTrees), blocks, store: joined?.store ?? blocks, claims }
  const local = { ...parts, store: blocks }
  return {
    put: (bytes, headLength) => put(parts, { bytes, headLength }),
    get: (digest) => get(parts, digest),
    head: (digest) => head(parts, digest),
    local: { get: (digest) => get(local, digest), head: (digest) => head(local, digest) },
    remove: async (digest) => {
      await removeBlob(parts, digest)
      claims.settle(digest)
    },
    claim: async (digest) => claims.settle(digest),
    sweep: (isReferenced) => sweep(parts, isReferenced),
    addresses: () => joined?.network.addresses() ?? [],
    close: async () => {
      await joined?.helia.stop()
      await blocks.settled()
      claims.close()
    },
  }
}

export declare namespace heliaBlobStore {
  type Input = {
    /** The folder of the blocks; created when it does not exist. */
    readonly folder: string
    /** Turns on the exchange of blocks with other IPFS nodes. */
    readonly network?: Network.Input | undefined
  }
  type Output = OpenBlobStore & {
    /** Returns the multiaddresses at which other IPFS nodes reach this one. */
    addresses(): readonly string[]
  }
}

/** Returns the storage of blobs as IPFS blocks in a folder, which `heliaBlobStore` opens. */
export function heliaBlobStorage(input: heliaBlobStore.Input): BlobStorage {
  return {
    open: () => heliaBlobStore(input),
    verify: (limit) => verifyBlocks(input.folder, limit),
  }
}

type Parts = {
  /** Loads UnixFS at the first call; a store of single blocks never needs it. */
  readonly trees: () => Promise<Trees>
  readonly blocks: DurableBlockstore
  /** The blocks of the folder and of the peers, if there are any. */
  readonly store: Store
  readonly claims: BlobClaims
}

type Store = Pick<DurableBlockstore, 'has' | 'put' | 'read'>

async function openFolder(folder: string) {
  try {
    const blocks = await DurableBlockstore.open(folder)
    return { blocks, claims: openBlobClaims(join(folder, 'unclaimed')) }
  } catch (error) {
    throw unavailable('open its folder', error)
  }
}

async function sweep(
  parts: Parts,
  isReferenced: (digest: Digest) => Promise<boolean>,
): Promise<void> {
  for (const { cids, settle } of parts.claims.orphans) {
    const root = rootOf(cids)
    if (root !== undefined && !(await isReferenced(root))) await removeBlocks(parts, cids)
    settle()
  }
}

async function joinPeers(
  blocks: DurableBlockstore,
  input: Network.Input & { readonly folder: string },
): Promise<{ readonly helia: Helia; readonly network: Network; readonly store: Store }> {
  // Loaded only here: most servers have no peers, and libp2p is the largest dependency.
  const { joinNetwork } = await import('./join-network.ts')
  try {
    const { helia, network } = await joinNetwork(blocks, input)
    return { helia, network, store: withPeers(blocks, helia, network) }
  } catch (error) {
    throw unavailable('join its network', error)
  }
}

function withPeers(blocks: DurableBlockstore, helia: Helia, network: Network): Store {
  return {
    // Reads bypass Helia, which reads and hashes a block twice, first to check that it is there.
    has: (cid) => blocks.has(cid),
    put: async (cid, bytes) => helia.blockstore.put(cid, bytes),
    async read(cid) {
      try {
        return await blocks.read(cid)
      } catch (error) {
        if (isSystemError(error)) throw error
        return await concatenate(network.fetch(cid)).catch((peerError: unknown) => {
          throw isSystemError(peerError) ? peerError : error
        })
      }
    },
  }
}

type Blob = { readonly bytes: Uint8Array; readonly headLength: number | undefined }

async function put(parts: Parts, blob: Blob): Promise<Digest> {
  try {
    const unclaimed = parts.claims.begin()
    const stored = await write(parts, blob, unclaimed)
    unclaimed.end(stored)
    return stored
  } catch (error) {
    throw unavailable('store a blob', error)
  }
}

async function write(
  parts: Parts,
  { bytes, headLength }: Blob,
  unclaimed: UnclaimedBlob,
): Promise<Digest> {
  const { trees, store } = parts
  const longest = headLength === undefined ? blockLength : longestWithHead
  if (bytes.length > longest || (await lengthOfTree(parts, bytes)) !== undefined) {
    const files = (await trees()).files(store, (cid) => unclaimed.add(cid))
    const chunker = chunkerWithHead(headLength)
    const options = { reduceSingleLeafToSelf: false, chunker, bufferImporter: leaves }
    return digestOf(await files.addBytes(bytes, options))
  }
  const stored = digest(`0x${hash('sha256', bytes)}`)
  const cid = cidOf(stored, rawCode)
  unclaimed.add(cid)
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

async function rootBlock({ store }: Parts, digest: Digest): Promise<Uint8Array> {
  return store.read(cidOf(digest, rawCode)).catch((error: unknown) => {
    throw blobFailure({ digest, error, missing: 'blob/not-found' })
  })
}

/** Returns the first leaf of the tree of a blob, or the one block that it is. */
async function head(parts: Parts, digest: Digest): Promise<Uint8Array> {
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

async function get(parts: Parts, digest: Digest): Promise<Uint8Array> {
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
async function lengthOfTree({ trees }: Parts, block: Uint8Array): Promise<number | undefined> {
  if (!mayBeTree(block)) return undefined
  const parts = partsOf(block, (await trees()).codec)
  return parts.length === 0 ? undefined : parts.reduce((sum, { length }) => sum + length, 0)
}

/** Concatenates parts of an expected total length. */
async function concatenate(parts: AsyncIterable<Uint8Array>, expected = 0): Promise<Uint8Array> {
  let whole = new Uint8Array(expected)
  let length = 0
  for await (const part of parts) {
    if (length + part.length > whole.length)
      whole = Buffer.concat([whole.subarray(0, length), part])
    else whole.set(part, length)
    length += part.length
    releaseBuffer(part)
  }
  return whole.subarray(0, length)
}
