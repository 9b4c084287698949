import type { Digest } from '@heirloom/core'
import type { CID } from 'multiformats/cid'
import { CorruptBlock, MissingBlock, unavailable } from './blob-failure.ts'
import { cidOf, digestOf, treeCode } from './cid.ts'
import type { DurableBlockstore } from './durable-blockstore.ts'
import { leavesOf, MalformedTree } from './tree-leaves.ts'
import { mayBeTree, type Part, partsOf, type Trees } from './unixfs-trees.ts'

type Store = {
  readonly blocks: Blocks
  readonly trees: () => Promise<Pick<Trees, 'codec'>>
}

type Blocks = Pick<DurableBlockstore, 'read' | 'delete'>

/** A shorter part, in bytes, may by chance belong to another blob too, and is not deleted. */
const uniqueLength = 32

/**
 * Deletes the blocks of a blob, each node before its parts. A crash leaves blocks without a root
 * behind, never a part of a blob that can still be found.
 *
 * A block that another blob shares is lost for that blob, too. Sealed bundles share none, since they
 * are random; memories with the same content under the same salt may share a card.
 *
 * @throws `blob/unavailable`
 */
export async function removeBlob(store: Store, digest: Digest): Promise<void> {
  try {
    await removePart(store, { cid: cidOf(digest, treeCode), length: uniqueLength })
  } catch (error) {
    throw unavailable('remove a blob', error)
  }
}

async function removePart(store: Store, { cid, length }: Part): Promise<void> {
  const parts = cid.code === treeCode ? await readParts(store, cid) : []
  if (length >= uniqueLength) await store.blocks.delete(cid)
  for (const part of parts) await removePart(store, part)
}

/**
 * Returns the digests of the blocks of a blob that belong to it alone, its root first; none when its
 * root is not here. Of a tree that this store would not write, which a stranger may have written to
 * name the blocks of others, it returns the root alone.
 *
 * @throws `blob/unavailable`
 */
export async function listBlob(store: Store, digest: Digest): Promise<readonly Digest[]> {
  try {
    const root = { cid: cidOf(digest, treeCode), length: uniqueLength }
    if (await isMissing(store, root.cid)) return []
    if (!(await isWritten(store, root.cid))) return [digest]
    const found = new Set<Digest>()
    await listPart(store, root, found)
    return [...found]
  } catch (error) {
    throw unavailable('list the parts of a blob', error)
  }
}

const isMissing = ({ blocks }: Store, cid: Part['cid']): Promise<boolean> =>
  blocks.read(cid).then(
    () => false,
    (error: unknown) => {
      if (error instanceof MissingBlock || error instanceof CorruptBlock) {
        return error instanceof MissingBlock
      }
      throw error
    },
  )

/** Reports whether a tree may be one that this store wrote; also of one that is damaged. */
async function isWritten({ blocks, trees }: Store, cid: Part['cid']): Promise<boolean> {
  try {
    const root = await blocks.read(cid)
    if (mayBeTree(root)) await leavesOf({ trees, read: (it) => blocks.read(it) }, root)
    return true
  } catch (error) {
    if (error instanceof MalformedTree) return false
    if (error instanceof MissingBlock || error instanceof CorruptBlock) return true
    throw error
  }
}

/** Adds the digests of a part and of all parts below it, each once: a tree may repeat a node without end. */
async function listPart(store: Store, { cid, length }: Part, found: Set<Digest>): Promise<void> {
  const digest = digestOf(cid)
  if (length < uniqueLength || found.has(digest)) return
  found.add(digest)
  const parts = cid.code === treeCode ? await readParts(store, cid) : []
  for (const part of parts) await listPart(store, part, found)
}

/**
 * Deletes blocks by their CIDs, without the blocks that they link to.
 *
 * @throws `blob/unavailable`
 */
export async function removeBlocks({ blocks }: Pick<Store, 'blocks'>, cids: readonly CID[]) {
  try {
    for (const cid of cids) {
      if ((await lengthOf(blocks, cid)) >= uniqueLength) await blocks.delete(cid)
    }
  } catch (error) {
    throw unavailable('remove a blob', error)
  }
}

/** Returns the length of a block. A missing or corrupt block counts as unique. */
async function lengthOf(blocks: Blocks, cid: CID): Promise<number> {
  try {
    return (await blocks.read(cid)).length
  } catch (error) {
    if (!(error instanceof MissingBlock || error instanceof CorruptBlock)) throw error
    return uniqueLength
  }
}

/** Returns the parts of a node; none for a missing or corrupt node, whose links are unknown. */
async function readParts({ blocks, trees }: Store, cid: Part['cid']): Promise<readonly Part[]> {
  try {
    const block = await blocks.read(cid)
    return mayBeTree(block) ? partsOf(block, (await trees()).codec) : []
  } catch (error) {
    if (!(error instanceof MissingBlock || error instanceof CorruptBlock)) throw error
    return []
  }
}
