import { digest } from '@heirloom/core'
import type { UnixFS } from '@helia/unixfs'
import type { CID } from 'multiformats/cid'
import { cidOf, rawCode, sha256Of, treeCode } from './cid.ts'
import { encodeRoot } from './tree-root.ts'
import { type Part, partsOf, type Trees } from './unixfs-trees.ts'

/** A tree that this store would not write. */
export class MalformedTree extends Error {
  override readonly name = 'MalformedTreeError'

  constructor() {
    super('The tree is not one of a blob.')
  }
}

/** The longest block of a tree, and the longest blob without a head that is one block, in bytes. */
export const blockLength = 1_048_576

/** The longest blob with a head that is one block, and the longest head, in bytes. */
export const longestWithHead = 131_072

/**
 * The most leaves of a tree, the most nodes above them besides the root and levels of these, the
 * longest node, and the most bytes of all leaves: more than the longest blob needs. UnixFS writes
 * nodes of 1,024 links, which take 51 KB.
 */
const limits = { leaves: 4096, nodes: 8, levels: 3, node: 65_536, bytes: 2 ** 31 } as const

type Store = {
  readonly trees: () => Promise<Pick<Trees, 'codec'>>
  readonly read: (cid: CID) => Promise<Uint8Array>
}

/**
 * Returns the leaves of a tree in order, each with its exact length as the tree claims it; none for a
 * block that is no root. The content of a blob is what its leaves hold, all of it, and nothing else.
 *
 * Anyone can write a tree, which a peer may send: one that has the same node any number of times, or
 * that claims to be longer than any disk. So it reads the nodes alone, and no more than a blob needs.
 * And it refuses every tree but the one that this store writes over such leaves: another root over the
 * leaves of a memory would be that memory again, and to erase it would take its parts from the first.
 *
 * @throws MalformedTree, and what `read` throws
 */
export async function leavesOf(store: Store, root: Uint8Array): Promise<readonly Part[]> {
  let parts = partsOf(root, (await store.trees()).codec)
  let nodes = 0
  for (let level = 1; parts.some(isNode); level++) {
    nodes += parts.filter(isNode).length
    if (level > limits.levels || nodes > limits.nodes) throw new MalformedTree()
    parts = await nextLevel(store, parts)
  }
  refuseLengths(parts)
  await refuseOther(store, root, parts)
  return parts
}

/** Returns parts with those below each node in its place. */
async function nextLevel({ trees, read }: Store, parts: readonly Part[]): Promise<readonly Part[]> {
  const { codec } = await trees()
  const below: Part[] = []
  for (const part of parts) {
    const found = isNode(part) ? partsOf(await readNode(read, part), codec) : [part]
    below.push(...found)
    if (found.length === 0 || below.length > limits.leaves) throw new MalformedTree()
  }
  return below
}

const isNode = ({ cid }: Part): boolean => cid.code === treeCode

async function readNode(read: Store['read'], { cid }: Part): Promise<Uint8Array> {
  const block = await read(cid)
  if (block.length > limits.node) throw new MalformedTree()
  return block
}

function refuseLengths(leaves: readonly Part[]): void {
  const isWritten = leaves.every(({ length }) => Number.isSafeInteger(length) && length > 0)
  const isTooLong = leaves.length > limits.leaves || lengthOf(leaves) > limits.bytes
  if (!isWritten || isTooLong) throw new MalformedTree()
}

/** Refuses a root that this store would not write over some leaves, of which there may be none. */
async function refuseOther(
  { trees, read }: Store,
  root: Uint8Array,
  leaves: readonly Part[],
): Promise<void> {
  if (leaves.length === 0) return
  const { codec } = await trees()
  const isSame = Buffer.compare(encodeRoot(leaves, codec), root) === 0
  if (!isSame || !isCutAsWritten(leaves)) throw new MalformedTree()
  const isShort = leaves.length === 1 || lengthOf(leaves) <= longestWithHead
  if (!isShort) return
  // It would be one block, unless it could be taken for a tree.
  const content: Uint8Array[] = []
  for (const { cid } of leaves) content.push(await read(cid))
  if (partsOf(Buffer.concat(content), codec).length === 0) throw new MalformedTree()
}

const lengthOf = (leaves: readonly Part[]): number =>
  leaves.reduce((sum, { length }) => sum + length, 0)

/** Reports whether a blob is cut as this store cuts one: its head, and then blocks of one length. */
function isCutAsWritten(leaves: readonly Part[]): boolean {
  const lengths = leaves.map(({ length }) => length)
  const [first = 0, ...others] = lengths
  const last = others.pop()
  if (last === undefined) return first <= blockLength
  const isHead = first <= longestWithHead || first === blockLength
  return isHead && last <= blockLength && others.every((it) => it === blockLength)
}

type Options = NonNullable<Parameters<UnixFS['addBytes']>[1]>

/**
 * Stores each piece of a blob as a raw block. Unlike the default importer of UnixFS, it does not
 * block the event loop for the hash.
 */
export const leaves: NonNullable<Options['bufferImporter']> = async function* (
  { content },
  blocks,
) {
  for await (const block of content) {
    yield async () => {
      const cid = cidOf(digest(`0x${await sha256Of(block)}`), rawCode)
      await blocks.put(cid, block)
      return { cid, size: BigInt(block.length), block }
    }
  }
}
