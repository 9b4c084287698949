import { randomBytes } from 'node:crypto'
import * as dagPb from '@ipld/dag-pb'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cidOf, digestOf, rawCode, treeCode } from './cid.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { heliaBlobStore } from './helia.ts'
import { emptyFolder, remove } from './test/folders.ts'

let folder: string
let store: heliaBlobStore.Output
let blocks: DurableBlockstore
beforeAll(async () => {
  folder = await emptyFolder()
  store = await heliaBlobStore({ folder })
  blocks = await DurableBlockstore.open(folder)
})
afterAll(async () => {
  await store.close()
  await remove(folder)
})

/** A link of a hostile node: what it says of the bytes below, twice. */
type Link = { readonly to: CID; readonly bytes: number; readonly tsize?: number }

/** Encodes a number as protocol buffers do. */
function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

/** Stores a node of a UnixFS file, as a peer can send one. */
async function plant(links: readonly Link[], data?: Uint8Array): Promise<CID> {
  const total = links.reduce((sum, { bytes }) => sum + bytes, 0)
  const sizes = links.flatMap(({ bytes }) => [0x20, ...varint(bytes)])
  const file = Uint8Array.of(0x08, 2, 0x18, ...varint(total), ...sizes)
  const named = links.map(({ to, bytes, tsize = bytes }) => ({ Name: '', Hash: to, Tsize: tsize }))
  const block = dagPb.encode({ Data: data ?? file, Links: named })
  const cid = CID.createV1(treeCode, await sha256.digest(block))
  await blocks.put(cid, block)
  return cid
}

async function plantLeaf(bytes: Uint8Array): Promise<CID> {
  const cid = CID.createV1(rawCode, await sha256.digest(bytes))
  await blocks.put(cid, bytes)
  return cid
}

const refused = async (root: CID) => {
  for (const read of [store.get, store.head]) {
    await expect(read(digestOf(root))).rejects.toMatchObject({ code: 'blob/corrupt' })
  }
  await expect(store.get(digestOf(root), { offset: 0, length: 9 })).rejects.toMatchObject({
    code: 'blob/corrupt',
  })
}

describe('a tree that a stranger wrote', () => {
  test('claims more bytes than there is memory', async () => {
    const leaf = await plantLeaf(Buffer.from('leaf'))
    await refused(await plant([{ to: leaf, bytes: 4, tsize: 2 ** 45 }]))
  })

  test('has one leaf in 200 to the tenth places', async () => {
    let node = await plantLeaf(Buffer.from('leaf'))
    for (let level = 0; level < 10; level++) {
      node = await plant(Array.from({ length: 200 }, () => ({ to: node, bytes: 4 })))
    }
    await refused(node)
    expect(await store.parts?.(digestOf(node))).toEqual([digestOf(node)])
    const missing = CID.createV1(rawCode, await sha256.digest(Buffer.from('nowhere')))
    const links = [missing, node].map((to) => ({ to, bytes: 40 }))
    const parts = (await store.parts?.(digestOf(await plant(links)))) ?? []
    expect(parts.length).toBeLessThan(20)
  })

  test('has nodes below that are no files', async () => {
    const wrong = await plant(
      [{ to: await plantLeaf(Buffer.from('leaf')), bytes: 4 }],
      Buffer.of(9),
    )
    const below = await plant([])
    for (const to of [
      below,
      await plant([
        { to: wrong, bytes: 4 },
        { to: below, bytes: 4 },
      ]),
    ]) {
      await refused(await plant([{ to, bytes: 4 }]))
    }
  })

  test('names blocks of others, which the content of its own does not need', async () => {
    const victim = await store.put(randomBytes(200_000), 100)
    const own = await store.put(randomBytes(200_000), 100)
    const { Links } = dagPb.decode(await blocks.read(cidOf(own, treeCode)))
    const links = Links.map(({ Hash: to, Tsize: bytes = 0 }) => ({ to, bytes }))
    const [first] = links
    if (first === undefined) throw new Error('There is a head.')
    // What has no bytes at the beginning is left out by readers of UnixFS.
    const nothing = [first.to, cidOf(victim, treeCode)].map((to) => ({ to, bytes: 0, tsize: 40 }))
    // So an eraser of the own one, which opens, would remove the other.
    const root = digestOf(await plant([...nothing, ...links]))
    await expect(store.get(root)).rejects.toMatchObject({ code: 'blob/corrupt' })
  })
})
