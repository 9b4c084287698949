import { hash } from 'node:crypto'
import { join } from 'node:path'
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
import { type Note, type Notes, openNotes, rootOf } from './notes.ts'
import { removeBlob, removeBlocks } from './removal.ts'
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
  notes: noted = false,
}: heliaBlobStore.Input): Promise<heliaBlobStore.Output> {
  const { blocks, notes } = await opened(folder, noted)
  const helia = createHeliaLight({ blockstore: blocks })
  const network = input && (await joinPeers(helia, { ...input, folder }))
  const reader = network ? withPeers(blocks, network) : blocks
  const parts: Parts = {
    helia,
    reader,
    blocks,
    notes,
    codec: await helia.getCodec<unknown, number>(treeCode),
  }
  return {
    put: (bytes) => put(parts, bytes),
    get: (wanted) => get(parts, wanted),
    remove: async (unwanted) => {
      await removeBlob(parts, unwanted)
      notes?.forget(unwanted)
    },
    claim: (wanted) => notes?.forget(wanted),
    sweep: (isWanted) => sweep(parts, isWanted),
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
    /** Notes each blob that is put until it is claimed, so that `sweep` finds what nobody wants. */
    readonly notes?: boolean
  }
  type Output = BlobStore & {
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
  readonly helia: Helia
  readonly reader: BlockReader
  readonly blocks: DurableBlockstore
  readonly notes: Notes | undefined
  readonly codec: BlockCodec<number, unknown>
}

type BlockReader = Pick<DurableBlockstore, 'get'>

async function opened(folder: string, noted: boolean) {
  try {
    const blocks = await DurableBlockstore.open(folder)
    return { blocks, notes: noted ? openNotes(join(folder, 'unclaimed')) : undefined }
  } catch (error) {
    throw unavailable('open its folder', error)
  }
}

/** Returns the trees of a store; what is put is noted first. */
function files({ helia, reader, blocks }: Parts, note?: Note): UnixFS {
  return unixfs({
    // Reads pass Helia by: it reads and hashes a block to see that it is there, then once more.
    blockstore: {
      get: (cid) => reader.get(cid),
      has: (cid) => blocks.has(cid),
      put: (cid, bytes) => {
        note?.add(cid)
        return helia.blockstore.put(cid, bytes)
      },
    },
  })
}

async function sweep(parts: Parts, isWanted: (digest: Digest) => Promise<boolean>): Promise<void> {
  for (const { cids, forget } of parts.notes?.left ?? []) {
    const root = rootOf(cids)
    if (root !== undefined && !(await isWanted(root))) await removeBlocks(parts, cids)
    forget()
  }
}

async function joinPeers(
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

async function put(parts: Parts, bytes: Uint8Array): Promise<Digest> {
  const note = parts.notes?.begin()
  try {
    const stored = await store(parts, bytes, note)
    note?.end(stored)
    return stored
  } catch (error) {
    throw unavailable('store a blob', error)
  }
}

async function store(parts: Parts, bytes: Uint8Array, note: Note | undefined): Promise<Digest> {
  const { helia, codec } = parts
  if (bytes.length > blockLength || isTree(bytes, codec)) {
    return digestOf(await files(parts, note).addBytes(bytes, { reduceSingleLeafToSelf: false }))
  }
  const named = digest(`0x${hash('sha256', bytes)}`)
  const cid = cidOf(named, rawCode)
  note?.add(cid)
  await helia.blockstore.put(cid, bytes)
  return named
}

async function get(parts: Parts, wanted: Digest): Promise<Uint8Array> {
  const { reader, codec } = parts
  const root = await joined(reader.get(cidOf(wanted, rawCode))).catch((error: unknown) => {
    throw blobFailure({ wanted, error, missing: 'blob/not-found' })
  })
  if (!isTree(root, codec)) return root
  // Whoever kept the root kept its parts before, so a part that is missing was lost.
  return joined(files(parts).cat(cidOf(wanted, treeCode))).catch((error: unknown) => {
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
