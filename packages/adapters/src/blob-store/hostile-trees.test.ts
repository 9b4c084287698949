import { randomBytes } from 'node:crypto'
import * as dagPb from '@ipld/dag-pb'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cidOf, digestOf, rawCode, treeCode } from './cid.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { heliaBlobStore } from './helia.ts'
import { emptyFolder, remove } from './test/folders.ts'
import { type Link, linksOf, plantLeaf as plantLeafIn, plantNode } from './test/plant-tree.ts'
import { varint } from './tree-root.ts'

const mebibyte = 1_048_576

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

const plant = (links: readonly Link[], data?: Uint8Array) => plantNode(blocks, links, data)
const plantLeaf = (bytes: Uint8Array) => plantLeafIn(blocks, bytes)

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

  test('has more nodes than a blob needs', async () => {
    const leaf = await plantLeaf(Buffer.from('leaf'))
    const nodes = await Promise.all(
      Array.from({ length: 9 }, (_, at) =>
        plant(Array.from({ length: 1 + at }, () => ({ to: leaf, bytes: 4 }))),
      ),
    )
    await refused(await plant(nodes.map((to, at) => ({ to, bytes: 4 * (1 + at) }))))
  })

  test('has one leaf 1,000 times, which is measured by reading it once', async () => {
    const leaf = await plantLeaf(randomBytes(mebibyte))
    const links = (count: number) =>
      Array.from({ length: count }, () => ({ to: leaf, bytes: mebibyte }))
    const root = await plant(links(1000))
    expect(await store.local.measure?.(digestOf(root))).toBe(1000 * mebibyte)
    const lying = await plant([...links(2), { to: leaf, bytes: 999 }])
    await expect(store.local.measure?.(digestOf(lying))).rejects.toMatchObject({
      code: 'blob/corrupt',
    })
  })

  test('is longer than its reader expects', async () => {
    const root = await store.put(randomBytes(200_000), 100)
    expect(await store.get(root, { atMost: 200_000 })).toHaveLength(200_000)
    await expect(store.get(root, { atMost: 199_999 })).rejects.toMatchObject({
      code: 'blob/corrupt',
    })
  })

  test('has the content of a stored blob, under another digest', async () => {
    const bytes = randomBytes(3 * mebibyte)
    const [short, long] = [
      await store.put(bytes.subarray(0, 1000), 100),
      await store.put(bytes, 100),
    ]
    const leaves = await linksOf(blocks, cidOf(long, treeCode))
    const [head, second, third, last] = leaves as Required<typeof leaves> & readonly Link[]
    const first = await plantLeaf(bytes.subarray(0, 100 + mebibyte))
    const total = 3 * mebibyte
    const file = (sizes: readonly number[]) => sizes.flatMap((size) => [0x20, ...varint(size)])
    const sizes = file([100, mebibyte, mebibyte, mebibyte - 100])
    for (const root of [
      // Over the block of a short one.
      await plant([{ to: cidOf(short, rawCode), bytes: 1000 }]),
      // The same leaves, and something more that UnixFS may say of a file.
      await plant(leaves, Uint8Array.of(0x08, 2, 0x18, ...varint(total), ...sizes, 0x38, 0xa4, 3)),
      // Its first two leaves as one.
      await plant([{ to: first, bytes: 100 + mebibyte }, third, last] as Link[]),
      // Another level.
      await plant([
        head as Link,
        { to: await plant([second, third, last] as Link[]), bytes: total - 100 },
      ]),
    ]) {
      await refused(root)
    }
    expect(await store.get(long)).toHaveLength(total)
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
