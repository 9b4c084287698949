import type { Digest } from '@heirloom/core'
import type { CID } from 'multiformats/cid'
import { unavailable } from './blob-failure.ts'
import { CorruptBlock, MissingBlock } from './block-error.ts'
import { cidOf, treeCode } from './cid.ts'
import type { DurableBlockstore } from './durable-blockstore.ts'
import { mayBeTree, type Part, partsOf } from './tree-parts.ts'
import type { Trees } from './unixfs-trees.ts'

type Store = {
  readonly blocks: DurableBlockstore
  readonly trees: () => Promise<Pick<Trees, 'codec'>>
}

/** A part shorter than this, in bytes, may by chance be a part of another blob too, and stays. */
const telling = 32

/**
 * Deletes the blocks of a blob, each node before its parts. What a crash leaves behind is blocks
 * that nothing leads to, never a blob that is there in part.
 *
 * A block that another blob has in common is lost to it. Sealed bundles have none, since they are
 * random, and cards none, since each names its memory.
 *
 * @throws `blob/unavailable`
 */
export async function removeBlob(store: Store, unwanted: Digest): Promise<void> {
  try {
    await removePart(store, { cid: cidOf(unwanted, treeCode), length: telling })
  } catch (error) {
    throw unavailable('remove a blob', error)
  }
}

async function removePart(store: Store, { cid, length }: Part): Promise<void> {
  const parts = cid.code === treeCode ? await partsUnder(store, cid) : []
  if (length >= telling) await store.blocks.delete(cid)
  for (const part of parts) await removePart(store, part)
}

/**
 * Deletes blocks by their names, whatever they lead to.
 *
 * @throws `blob/unavailable`
 */
export async function removeBlocks({ blocks }: Pick<Store, 'blocks'>, cids: readonly CID[]) {
  try {
    for (const cid of cids) {
      if ((await lengthOf(blocks, cid)) >= telling) await blocks.delete(cid)
    }
  } catch (error) {
    throw unavailable('remove a blob', error)
  }
}

/** What is missing or damaged can be nobody else's part. */
async function lengthOf(blocks: DurableBlockstore, cid: CID): Promise<number> {
  try {
    return (await blocks.read(cid)).length
  } catch (error) {
    if (!(error instanceof MissingBlock || error instanceof CorruptBlock)) throw error
    return telling
  }
}

/** What a missing or damaged node led to is not known any more. */
async function partsUnder({ blocks, trees }: Store, cid: Part['cid']): Promise<readonly Part[]> {
  try {
    const block = await blocks.read(cid)
    return mayBeTree(block) ? partsOf(block, (await trees()).codec) : []
  } catch (error) {
    if (!(error instanceof MissingBlock || error instanceof CorruptBlock)) throw error
    return []
  }
}
