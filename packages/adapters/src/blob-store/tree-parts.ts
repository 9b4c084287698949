import type { CID } from 'multiformats/cid'
import type { BlockCodec } from 'multiformats/codecs/interface'

/** The first byte of every node that has links: the tag of its links, or of data before them. */
const tags: readonly (number | undefined)[] = [0x12, 0x0a]

/**
 * Tells whether a block may be the root of a tree, a dag-pb node with links; its links tell whether
 * it is. Any other block is a blob by itself. A blob that looks like a tree is never kept by
 * itself, so no blob is misread.
 */
export function mayBeTree(block: Uint8Array): boolean {
  return tags.includes(block[0])
}

/** A block that a node of a tree links to. */
export type Part = {
  readonly cid: CID
  /** How many bytes the block and all blocks under it have. */
  readonly length: number
}

/** Returns what the node of a tree links to; nothing for any other block. */
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
