import type { UnixFS } from '@helia/unixfs'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'
import type { BlockCodec } from 'multiformats/codecs/interface'

/** The codec and the reader and writer of trees of blocks. */
export type Trees = {
  readonly codec: BlockCodec<number, unknown>
  /** Returns UnixFS on a blockstore; calls `before` with each block before it is stored. */
  readonly files: (blocks: Blocks, before?: (cid: CID) => void) => UnixFS
}

type Blocks = Pick<Blockstore, 'has' | 'put'> & {
  readonly read: (cid: CID) => Promise<Uint8Array>
}

/** Loads UnixFS, which a store of single blocks does not need. */
export async function loadTrees(): Promise<Trees> {
  const [codec, { unixfs }] = await Promise.all([import('@ipld/dag-pb'), import('@helia/unixfs')])
  return {
    codec,
    files: (blocks, before) =>
      unixfs({
        blockstore: {
          async *get(cid) {
            yield await blocks.read(cid)
          },
          has: (cid) => blocks.has(cid),
          put: async (cid, bytes) => {
            before?.(cid)
            // A block of an earlier attempt is reused: the disk may have no room for it twice.
            return (await blocks.has(cid)) ? cid : blocks.put(cid, bytes)
          },
        },
      }),
  }
}

/** The first byte of a dag-pb node with links: the tag of Links, or of Data where it comes first. */
const firstBytes: readonly (number | undefined)[] = [0x12, 0x0a]

/**
 * Returns whether a block may be the root of a tree: a dag-pb node with links. To be certain, decode
 * its links. Any other block is a whole blob: a blob that looks like a tree is stored as a tree, so
 * no block is misread.
 */
export function mayBeTree(block: Uint8Array): boolean {
  return firstBytes.includes(block[0])
}

/** A block that a node of a tree links to. */
export type Part = {
  readonly cid: CID
  /** The length of the block and of all blocks under it, in bytes. */
  readonly length: number
}

/** Returns the parts that a tree node links to; none for any other block. */
export function partsOf(block: Uint8Array, codec: BlockCodec<number, unknown>): readonly Part[] {
  if (!mayBeTree(block)) return []
  try {
    return linksIn(codec.decode(block))
  } catch {
    return []
  }
}

function linksIn(node: unknown): readonly Part[] {
  const links = typeof node === 'object' && node !== null && 'Links' in node ? node.Links : []
  return Array.isArray(links)
    ? links.map(({ Hash, Tsize = 0 }) => ({ cid: Hash, length: Tsize }))
    : []
}
