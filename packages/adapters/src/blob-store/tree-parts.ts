import type { CID } from 'multiformats/cid'
import type { BlockCodec } from 'multiformats/codecs/interface'

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
