import type { CID } from 'multiformats/cid'
import type { BlockCodec } from 'multiformats/codecs/interface'

/** The first byte of a node with links: the protobuf tag of its links, or of data before them. */
const tags: readonly (number | undefined)[] = [0x12, 0x0a]

/**
 * Reports whether a block may be the root of a tree: a dag-pb node with links. Only decoding its
 * links makes it certain. Any other block is a whole blob. A blob that looks like a tree is never
 * stored as one block, so no blob is misread.
 */
export function mayBeTree(block: Uint8Array): boolean {
  return tags.includes(block[0])
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
