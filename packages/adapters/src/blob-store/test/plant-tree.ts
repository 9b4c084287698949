import * as dagPb from '@ipld/dag-pb'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { rawCode, treeCode } from '../cid.ts'
import type { DurableBlockstore } from '../durable-blockstore.ts'
import { varint } from '../tree-root.ts'

/** A link of a hostile node: what it says of the bytes below, twice. */
export type Link = { readonly to: CID; readonly bytes: number; readonly tsize?: number }

/** Stores a node of a UnixFS file, as a peer can send one. */
export async function plantNode(
  blocks: DurableBlockstore,
  links: readonly Link[],
  data?: Uint8Array,
): Promise<CID> {
  const total = links.reduce((sum, { bytes }) => sum + bytes, 0)
  const sizes = links.flatMap(({ bytes }) => [0x20, ...varint(bytes)])
  const file = Uint8Array.of(0x08, 2, 0x18, ...varint(total), ...sizes)
  const named = links.map(({ to, bytes, tsize = bytes }) => ({ Name: '', Hash: to, Tsize: tsize }))
  const block = dagPb.encode({ Data: data ?? file, Links: named })
  const cid = CID.createV1(treeCode, await sha256.digest(block))
  await blocks.put(cid, block)
  return cid
}

/** The most links of a node that UnixFS writes. */
const mostLinks = 1024

/** Stores the nodes that UnixFS writes over leaves, and returns the root. */
export async function plantFile(blocks: DurableBlockstore, leaves: readonly Link[]): Promise<CID> {
  for (let links = leaves; ; ) {
    const groups = Array.from({ length: Math.ceil(links.length / mostLinks) }, (_, at) =>
      links.slice(at * mostLinks, (at + 1) * mostLinks),
    )
    links = await Promise.all(
      groups.map(async (group) => {
        const to = await plantNode(blocks, group)
        const below = group.reduce((sum, { bytes, tsize = bytes }) => sum + tsize, 0)
        const bytes = group.reduce((sum, it) => sum + it.bytes, 0)
        return { to, bytes, tsize: below + (await blocks.read(to)).length }
      }),
    )
    const [root] = links
    if (root !== undefined && links.length === 1) return root.to
  }
}

/** Stores a leaf. */
export async function plantLeaf(blocks: DurableBlockstore, bytes: Uint8Array): Promise<CID> {
  const cid = CID.createV1(rawCode, await sha256.digest(bytes))
  await blocks.put(cid, bytes)
  return cid
}

/** Returns the leaves that a stored node links to, with their lengths. */
export async function linksOf(blocks: DurableBlockstore, node: CID): Promise<readonly Link[]> {
  const { Links } = dagPb.decode(await blocks.read(node))
  return Links.map(({ Hash: to, Tsize: bytes = 0 }) => ({ to, bytes }))
}
