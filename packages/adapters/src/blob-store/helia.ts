import { join } from 'node:path'
import { type BlobStorage, isFailure, type OpenBlobStore } from '@heirloom/core'
import type { Helia } from 'helia'
import type { CID } from 'multiformats/cid'
import { memoize } from '../platform/memoize.ts'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { openBlobClaims } from './blob-claims.ts'
import {
  isSystemError,
  MissingBlock,
  UndeliveredBlock,
  UnreachableBlocks,
  unavailable,
} from './blob-failure.ts'
import { type BlockSource, blobsInBlocks } from './block-blobs.ts'
import { digestOf } from './cid.ts'
import { type CopyExchange, openCopies } from './copies/copy-exchange.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import type { Network } from './network.ts'
import { loadTrees } from './unixfs-trees.ts'
import { verifyBlocks } from './verify-blocks.ts'

/**
 * Opens a folder of IPFS blocks, which no other process may have open. A blob of 128 KiB or less is
 * one block; a longer one is a UnixFS tree whose first leaf is its head. Without `network` the store opens no port and sends no request.
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
  const copies = joined?.copies
  const parts = { trees: memoize(loadTrees), store: joined?.store ?? blocks, claims }
  return {
    ...blobsInBlocks({ ...parts, ...withCopies(blocks, copies) }),
    ...(copies && { copies: copies.state, ofPeers: copies.ofPeers }),
    addresses: () => joined?.network.addresses() ?? [],
    close: async () => {
      await copies?.close()
      await joined?.helia.stop()
      await blocks.close()
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

async function openFolder(folder: string) {
  try {
    const blocks = await DurableBlockstore.open(folder)
    return { blocks, claims: openBlobClaims(join(folder, 'unclaimed')) }
  } catch (error) {
    throw unavailable('open its folder', error)
  }
}

type IsErased = NonNullable<Network.Input['isErased']>

/** The network that a store has joined. */
type Joined = {
  readonly helia: Helia
  readonly network: Network
  readonly store: BlockSource
  readonly copies: CopyExchange | undefined
}

async function joinPeers(
  blocks: DurableBlockstore,
  input: Network.Input & { readonly folder: string },
): Promise<Joined> {
  // Loaded only here: most servers have no peers, and libp2p is the largest dependency.
  const { joinNetwork } = await import('./join-network.ts')
  try {
    const { helia, network } = await joinNetwork(blocks, input)
    const { copies: settings, folder, isErased = () => false } = input
    const store = withPeers(blocks, { helia, network, isErased })
    const restore = (cid: CID) => store.read(cid)
    const copying = { blocks, folder, network, restore, isErased }
    const copies = settings && (await openCopies({ ...copying, settings }))
    return { helia, network, store, copies }
  } catch (error) {
    throw isFailure(error) ? error : unavailable('join its network', error)
  }
}

/** Returns blocks whose removal also removes their copies, and the way to make copies. */
function withCopies(blocks: DurableBlockstore, copies: CopyExchange | undefined) {
  if (copies === undefined) return { blocks }
  return {
    blocks: {
      has: (cid: CID) => blocks.has(cid),
      put: (cid: CID, bytes: Uint8Array) => blocks.put(cid, bytes),
      read: (cid: CID) => blocks.read(cid),
      delete: async (cid: CID) => {
        await blocks.delete(cid)
        copies.takeBack(cid)
      },
    },
    replicate: copies.replicate,
  }
}

function withPeers(
  blocks: DurableBlockstore,
  { helia, network, isErased }: Pick<Joined, 'helia' | 'network'> & { readonly isErased: IsErased },
): BlockSource {
  const mayAsk = (cid: CID, error: unknown) =>
    // A stranger may name the parts of an erased memory, and have a peer that still sends them.
    !isSystemError(error) && network.hasPeers() && !isErased(digestOf(cid))
  return {
    // Reads bypass Helia, which reads and hashes a block twice, first to check that it is there.
    has: (cid) => blocks.has(cid),
    put: async (cid, bytes) => helia.blockstore.put(cid, bytes),
    async read(cid) {
      try {
        return await blocks.read(cid)
      } catch (error) {
        if (!mayAsk(cid, error)) throw error
        return await concatenate(network.fetch(cid)).catch((peerError: unknown) => {
          throw isSystemError(peerError) ? peerError : undelivered(network, error)
        })
      }
    },
  }
}

/** Returns the error of a block that peers did not send, after the error of the store itself. */
function undelivered(network: Network, error: unknown): unknown {
  if (!(error instanceof MissingBlock)) return error
  return network.isConnected()
    ? new UndeliveredBlock()
    : new UnreachableBlocks('No peer can be reached.')
}

/** Concatenates parts of an expected total length, and releases the memory of each. */
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
