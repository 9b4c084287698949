import { hash } from 'node:crypto'
import { type BlobStore, type Digest, digest } from '@heirloom/core'
import { type UnixFS, unixfs } from '@helia/unixfs'
import { createHeliaLight, type Helia } from 'helia'
import type { BlockCodec } from 'multiformats/codecs/interface'
import { blobFailure, unavailable } from './blob-failure.ts'
import { isSystemError } from './block-error.ts'
import { cidOf, digestOf, rawCode, treeCode } from './cid.ts'
import { corruptBlocksIn } from './corrupt-blocks.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import type { Network } from './network.ts'
import { removeBlob } from './removal.ts'
import { isTree } from './tree.ts'

/** The longest blob that is one block, in bytes; longer ones are trees of blocks of this length. */
const blockLength = 1_048_576

/**
 * Opens a folder of IPFS blocks, which no other process may have open.
 *
 * A blob of 1 MiB or less is one raw block, and its digest is the sha2-256 of its bytes; a longer
 * one is a UnixFS tree, and its digest is that of the tree's root. Without `network` no port is
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
}: heliaBlobStore.Input): Promise<heliaBlobStore.Output> {
  const blocks = await DurableBlockstore.open(folder).catch((error: unknown) => {
    throw unavailable('open its folder', error)
  })
  const helia = createHeliaLight({ blockstore: blocks })
  const network = input && (await join(helia, { ...input, folder }))
  const reader = network ? withPeers(blocks, network) : blocks
  const parts: Parts = {
    helia,
    reader,
    codec: await helia.getCodec<unknown, number>(treeCode),
    // Reads pass Helia by: it reads and hashes a block to see that it is there, then once more.
    files: unixfs({
      blockstore: {
        get: (cid) => reader.get(cid),
        has: (cid) => blocks.has(cid),
        put: (cid, bytes) => helia.blockstore.put(cid, bytes),
      },
    }),
  }
  return {
    put: (bytes) => put(parts, bytes),
    get: (wanted) => get(parts, wanted),
    remove: (unwanted) => removeBlob({ blocks, codec: parts.codec }, unwanted),
    addresses: () => network?.addresses() ?? [],
    close: async () => {
      await helia.stop()
      await blocks.settled()
    },
  }
}

export declare namespace heliaBlobStore {
  type Input = {
    /** Where the blocks are kept; made when it does not exist. */
    readonly folder: string
    /** Turns on the exchange of blocks with other IPFS nodes. */
    readonly network?: Network.Input | undefined
  }
  type Output = BlobStore & {
    /** Returns the multiaddresses at which other IPFS nodes reach this one. */
    addresses(): readonly string[]
    /** Returns once nothing is being written or exchanged; the folder may then be opened anew. */
    close(): Promise<void>
  }
}

/** Reads blocks of a store's folder again and names the damaged ones; the store may be open. */
export const corruptBlocks = corruptBlocksIn

type Parts = {
  readonly helia: Helia
  readonly reader: BlockReader
  readonly files: UnixFS
  readonly codec: BlockCodec<number, unknown>
}

type BlockReader = Pick<DurableBlockstore, 'get'>

async function join(
  helia: Helia,
  input: Network.Input & { readonly folder: string },
): Promise<Network> {
  try {
    const { joinNetwork } = await import('./network.ts')
    return await joinNetwork(helia, input)
  } catch (error) {
    await helia.stop()
    throw unavailable('join its network', error)
  }
}

/** Reads a block from the folder, or from peers where the folder lacks it or has it damaged. */
function withPeers(blocks: BlockReader, network: Network): BlockReader {
  return {
    async *get(cid) {
      try {
        yield* blocks.get(cid)
      } catch (error) {
        if (isSystemError(error)) throw error
        yield await joined(network.fetch(cid)).catch((refusal: unknown) => {
          throw isSystemError(refusal) ? refusal : error
        })
      }
    },
  }
}

async function put({ helia, files, codec }: Parts, bytes: Uint8Array): Promise<Digest> {
  try {
    if (bytes.length > blockLength || isTree(bytes, codec)) {
      return digestOf(await files.addBytes(bytes, { reduceSingleLeafToSelf: false }))
    }
    const named = digest(`0x${hash('sha256', bytes)}`)
    await helia.blockstore.put(cidOf(named, rawCode), bytes)
    return named
  } catch (error) {
    throw unavailable('store a blob', error)
  }
}

async function get({ reader, files, codec }: Parts, wanted: Digest): Promise<Uint8Array> {
  const root = await joined(reader.get(cidOf(wanted, rawCode))).catch((error: unknown) => {
    throw blobFailure({ wanted, error, missing: 'blob/not-found' })
  })
  if (!isTree(root, codec)) return root
  // Whoever kept the root kept its parts before, so a part that is missing was lost.
  return joined(files.cat(cidOf(wanted, treeCode))).catch((error: unknown) => {
    throw blobFailure({ wanted, error, missing: 'blob/corrupt' })
  })
}

/** Returns a copy of all parts, one after the other. */
async function joined(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = []
  let length = 0
  for await (const part of parts) {
    collected.push(part)
    length += part.length
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of collected) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
