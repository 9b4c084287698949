import type { BlockCodec } from 'multiformats/codecs/interface'

/** The first byte of every node that has links: the tag of its links, or of data before them. */
const tags: readonly (number | undefined)[] = [0x12, 0x0a]

/**
 * Tells whether a root block is the root of a tree: a dag-pb node with links. Any other block is a
 * blob by itself. A blob that looks like a tree is never kept by itself, so no blob is misread.
 */
export function isTree(block: Uint8Array, codec: BlockCodec<number, unknown>): boolean {
  if (!tags.includes(block[0])) return false
  try {
    return hasLinks(codec.decode(block))
  } catch {
    return false
  }
}

function hasLinks(node: unknown): boolean {
  const links = typeof node === 'object' && node !== null && 'Links' in node ? node.Links : []
  return Array.isArray(links) && links.length > 0
}
