import { hash } from 'node:crypto'
import { join } from 'node:path'
import { type BlobStore, type Digest, digest } from '@heirloom/core'
import type { Helia } from 'helia'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { blobFailure, unavailable } from './blob-failure.ts'
import { isSystemError } from './block-error.ts'
import { cidOf, digestOf, rawCode, treeCode } from './cid.ts'
import { corruptBlocksIn } from './corrupt-blocks.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { leaves } from './leaves.ts'
import type { Network } from './network.ts'
import { type Note, type Notes, openNotes, rootOf } from './blob-claims.ts'
import { removeBlob, removeBlocks } from './removal.ts'
import { mayBeTree, partsOf } from './tree-parts.ts'
import { loadTrees, type Trees } from './unixfs-trees.ts'

/** The longest block of a tree, and the longest blob without a head that is one block, in bytes. */
const blockLength = 1_048_576

/** The longest blob with a head that is one block, in bytes. */
const longestWithHead = 131_072

/**
 * Opens a folder of IPFS blocks, which no other process may have open.
 *
 * A blob of 128 KiB or less is one raw block, and its digest is the sha2-256 of its bytes. A longer
 * one is a UnixFS tree whose first leaf is exactly its head, so that whoever looks at the head reads
 * the root and that leaf; its digest is that of the root. Without a head the limit is 1 MiB. Without `network` no port is
 * opened and nobody is asked for anything.
 *
 * @throws `blob/unavailable` when the folder cannot be made or read
 *
 * @example
 * const store = await heliaBlobStore({ folder: '.heirloom/blobs' })
 * const digest = await store.put(sealed)
 * await store.get(digest)
 */
export async function heliaBlobStore({
  folder,
  network: input,
  notes: noted = false,
}: heliaBlobStore.Input): Promise<heliaBlobStore.Output> {
  const { blocks, notes } = await opened(folder, noted)
  const joined = input && (await joinPeers(blocks, { ...input, folder }))
  const parts: Parts = { trees: once(loadTrees), blocks, store: joined?.store ?? blocks, notes }
  return {
    put: (bytes, headLength) => put(parts, { bytes, headLength }),
    get: (wanted) => get(parts, wanted),
    head: (wanted) => head(parts, wanted),
    getHere: (wanted) => get({ ...parts, store: blocks }, wanted),
    headHere: (wanted) => head({ ...parts, store: blocks }, wanted),
    remove: async (unwanted) => {
      await removeBlob(parts, unwanted)
      notes?.forget(unwanted)
    },
    claim: (wanted) => notes?.forget(wanted),
    sweep: (isWanted) => sweep(parts, isWanted),
    addresses: () => joined?.network.addresses() ?? [],
    close: async () => {
      await joined?.helia.stop()
      await blocks.settled()
      notes?.close()
    },
  }
}

export declare namespace heliaBlobStore {
  type Input = {
    /** Where the blocks are kept; made when it does not exist. */
    readonly folder: string
    /** Turns on the exchange of blocks with other IPFS nodes. */
    readonly network?: Network.Input | undefined
    /** Notes each blob that is put until it is claimed, so that `sweep` finds what nobody wants. */
    readonly notes?: boolean
  }
  type Output = BlobStore & {
    /** Returns the bytes as `get` does, but from this folder and not from peers. */
    getHere: BlobStore['get']
    /** Returns the head as `head` does, but from this folder and not from peers. */
    headHere: BlobStore['head']
    /** Says that a blob is to stay; without it, the next opening may sweep it away. */
    claim(digest: Digest): void
    /** Removes what earlier openings put, nobody claimed and `isWanted` does not know either. */
    sweep(isWanted: (digest: Digest) => Promise<boolean>): Promise<void>
    /** Returns the multiaddresses at which other IPFS nodes reach this one. */
    addresses(): readonly string[]
    /** Returns once nothing is being written or exchanged; the folder may then be opened anew. */
    close(): Promise<void>
  }
}

/** Reads blocks of a store's folder again and names the damaged ones; the store may be open. */
export const corruptBlocks = corruptBlocksIn

type Parts = {
  /** Loads at the first call; a server that has but single blocks never makes one. */
  readonly trees: () => Promise<Trees>
  readonly blocks: DurableBlockstore
  /** The same blocks, and those of the peers where there are any. */
  readonly store: Store
  readonly notes: Notes | undefined
}

type Store = Pick<DurableBlockstore, 'has' | 'put' | 'read'>

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function opened(folder: string, noted: boolean) {
  try {
    const blocks = await DurableBlockstore.open(folder)
    return { blocks, notes: noted ? openNotes(join(folder, 'unclaimed')) : undefined }
  } catch (error) {
    throw unavailable('open its folder', error)
  }
}

async function sweep(parts: Parts, isWanted: (digest: Digest) => Promise<boolean>): Promise<void> {
  for (const { cids, forget } of parts.notes?.left ?? []) {
    const root = rootOf(cids)
    if (root !== undefined && !(await isWanted(root))) await removeBlocks(parts, cids)
    forget()
  }
}

async function joinPeers(
  blocks: DurableBlockstore,
  input: Network.Input & { readonly folder: string },
): Promise<{ readonly helia: Helia; readonly network: Network; readonly store: Store }> {
  // Loaded only here: most servers work alone, and this is the largest part of all.
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
    // Reads pass Helia by: it reads and hashes a block to see that it is there, then once more.
    has: (cid) => blocks.has(cid),
    put: async (cid, bytes) => helia.blockstore.put(cid, bytes),
    async read(cid) {
      try {
        return await blocks.read(cid)
      } catch (error) {
        if (isSystemError(error)) throw error
        return await joined(network.fetch(cid)).catch((refusal: unknown) => {
          throw isSystemError(refusal) ? refusal : error
        })
      }
    },
  }
}

type Blob = { readonly bytes: Uint8Array; readonly headLength: number | undefined }

async function put(parts: Parts, blob: Blob): Promise<Digest> {
  const note = parts.notes?.begin()
  try {
    const stored = await write(parts, blob, note)
    note?.end(stored)
    return stored
  } catch (error) {
    throw unavailable('store a blob', error)
  }
}

async function write(
  parts: Parts,
  { bytes, headLength }: Blob,
  note: Note | undefined,
): Promise<Digest> {
  const { trees, store } = parts
  const longest = headLength === undefined ? blockLength : longestWithHead
  if (bytes.length > longest || (await lengthOfTree(parts, bytes)) !== undefined) {
    const files = (await trees()).files(store, (cid) => note?.add(cid))
    const chunker = viewsAfter(headLength)
    const options = { reduceSingleLeafToSelf: false, chunker, bufferImporter: leaves }
    return digestOf(await files.addBytes(bytes, options))
  }
  const named = digest(`0x${hash('sha256', bytes)}`)
  const cid = cidOf(named, rawCode)
  note?.add(cid)
  await store.put(cid, bytes)
  return named
}

/** Returns how to cut a blob into blocks that are views of it, of which the first is its head. */
function viewsAfter(headLength = 0) {
  return async function* (blobs: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const blob of blobs) {
      if (headLength > 0) yield blob.subarray(0, headLength)
      for (let at = headLength; at < blob.length; at += blockLength) {
        yield blob.subarray(at, at + blockLength)
      }
    }
  }
}

async function rootBlock({ store }: Parts, wanted: Digest): Promise<Uint8Array> {
  return store.read(cidOf(wanted, rawCode)).catch((error: unknown) => {
    throw blobFailure({ wanted, error, missing: 'blob/not-found' })
  })
}

/** Returns the first leaf of the tree of a blob, or the one block that it is. */
async function head(parts: Parts, wanted: Digest): Promise<Uint8Array> {
  const { trees, store } = parts
  let block = await rootBlock(parts, wanted)
  for (let code = treeCode; code === treeCode && mayBeTree(block); ) {
    const [first] = partsOf(block, (await trees()).codec)
    if (first === undefined) return block
    code = first.cid.code
    block = await store.read(first.cid).catch((error: unknown) => {
      throw blobFailure({ wanted, error, missing: 'blob/corrupt' })
    })
  }
  return block
}

async function get(parts: Parts, wanted: Digest): Promise<Uint8Array> {
  const { trees, store } = parts
  const root = await rootBlock(parts, wanted)
  const length = await lengthOfTree(parts, root)
  if (length === undefined) return root
  // Whoever kept the root kept its parts before, so a part that is missing was lost.
  const files = (await trees()).files(store)
  const contents = files.cat(cidOf(wanted, treeCode))
  return joined(contents, length).catch((error: unknown) => {
    throw blobFailure({ wanted, error, missing: 'blob/corrupt' })
  })
}

/** Returns how many bytes all that a root leads to has; nothing where it is no root of a tree. */
async function lengthOfTree({ trees }: Parts, block: Uint8Array): Promise<number | undefined> {
  if (!mayBeTree(block)) return undefined
  const parts = partsOf(block, (await trees()).codec)
  return parts.length === 0 ? undefined : parts.reduce((sum, { length }) => sum + length, 0)
}

/** Returns all parts, one after the other, for which there is room from the start. */
async function joined(parts: AsyncIterable<Uint8Array>, room = 0): Promise<Uint8Array> {
  let whole = new Uint8Array(room)
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
