import { randomBytes } from 'node:crypto'
import { readFile, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopyRefusal, Digest } from '@heirloom/core'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { heliaBlobStore } from '../helia.ts'
import type { Network } from '../network.ts'
import { blockFiles, emptyFolder, fileOf, remove } from '../test/folders.ts'

/** A node with a key of its own, which it has again after its disk was lost. */
type Node = {
  readonly folder: string
  readonly seed: Uint8Array
  readonly store: heliaBlobStore.Output
  readonly address: string
}

let parent: string
beforeEach(async () => {
  parent = await emptyFolder()
  onTestFinished(() => remove(parent))
})

type Settings = {
  readonly peers: readonly string[]
  readonly count?: number | undefined
  readonly room?: Room | undefined
}
type Room = Pick<Network.CopySettings, 'bytesPerPeer' | 'onRefusal'>

async function startNode(
  name: string,
  { peers, count = 2, room }: Settings,
  { seed = randomBytes(32), listen = '/ip4/127.0.0.1/tcp/0' } = {},
): Promise<Node> {
  const folder = join(parent, name)
  const store = await heliaBlobStore({
    folder,
    network: {
      listen: [listen],
      peers,
      seed,
      patience: 30_000,
      copies: { count, auditEvery: 50, ...room },
    },
  })
  onTestFinished(() => store.close())
  const [address = ''] = store.addresses()
  return { folder, seed, store, address }
}

/** Starts three nodes, each of which knows the others. */
async function startThree(count?: number, room?: Room): Promise<readonly [Node, Node, Node]> {
  // A node is known by its address, so each is started once for it.
  const known: { name: string; address: string; seed: Uint8Array; listen: string }[] = []
  for (const name of ['a', 'b', 'c']) {
    const { address, seed, store } = await startNode(name, { peers: [] })
    await store.close()
    known.push({ name, address, seed, listen: address.split('/p2p/')[0] ?? '' })
  }
  const start = ({ name, address, seed, listen }: (typeof known)[number]) => {
    const peers = known.map((it) => it.address).filter((other) => other !== address)
    return startNode(name, { peers, count, room }, { seed: Buffer.from(seed), listen })
  }
  const [a, b, c] = await Promise.all(known.map(start))
  if (!a || !b || !c) throw new Error('A node is missing.')
  return [a, b, c]
}

/** Returns the nodes that have every block of a blob on disk. */
async function holdersOf(nodes: readonly Node[], name: Digest): Promise<number> {
  const reads = nodes.map(({ store }) =>
    store.local.get(name).then(
      () => 1,
      () => 0,
    ),
  )
  return (await Promise.all(reads)).reduce<number>((sum, it) => sum + it, 0)
}

/** Waits until a node has counted, after this call, that nothing has too few copies. */
const untilRepaired = (nodes: readonly Node[], name: Digest, copies: number) =>
  expect.poll(() => holdersOf(nodes, name)).toBeGreaterThanOrEqual(copies)

describe('a put', () => {
  test.each([
    [2, 100],
    [2, 3 * 2 ** 20],
    [3, 100],
    [3, 200_000],
  ])('returns when %i nodes hold every block of %i bytes', async (count, length) => {
    const nodes = await startThree(count)
    const bytes = randomBytes(length)
    const name = await nodes[0].store.put(bytes, 100)
    expect(await holdersOf(nodes, name)).toBeGreaterThanOrEqual(count)
  })

  test('goes to another node when one is gone, and fails when too few are left', async () => {
    const [a, b, c] = await startThree()
    await b.store.close()
    const name = await a.store.put(randomBytes(100))
    expect(await holdersOf([a, c], name)).toBe(2)
    await c.store.close()
    await expect(a.store.put(randomBytes(100))).rejects.toMatchObject({ code: 'blob/unavailable' })
  })

  test('fails when another node cannot write', async () => {
    const [a, b, c] = await startThree(3)
    await rm(join(c.folder, 'temporary'), { recursive: true })
    await expect(a.store.put(randomBytes(100))).rejects.toMatchObject({ code: 'blob/unavailable' })
    expect(b.address).not.toBe(c.address)
  })
})

describe('a count', () => {
  test('stores again what a node lost, without any request', async () => {
    const nodes = await startThree()
    const name = await nodes[0].store.put(randomBytes(200_000))
    const [first, second] = await holding(nodes, name)
    for (const file of await blockFiles(first.folder)) await rm(file)
    await untilRepaired(nodes, name, 2)
    expect(await second.store.local.get(name)).toHaveLength(200_000)
  })

  test('repairs what is damaged on its disk, though enough others hold it', async () => {
    const nodes = await startThree()
    const bytes = randomBytes(100)
    const [first] = nodes
    const [name] = await Promise.all(nodes.map(({ store }) => store.put(bytes)))
    if (name === undefined) throw new Error('Nothing was put.')
    await truncate(fileOf(first.folder, name), 7)
    await expect.poll(() => readFile(fileOf(first.folder, name))).toEqual(bytes)
  })

  test('says how many blocks have too few copies', async () => {
    const [a, b, c] = await startThree()
    await a.store.put(randomBytes(100))
    await expect.poll(a.store.copies ?? fail).toEqual({ blocks: 1, tooFew: 0 })
    await Promise.all([b.store.close(), c.store.close()])
    await expect.poll(a.store.copies ?? fail).toEqual({ blocks: 1, tooFew: 1 })
  })
})

describe('a node that a peer fills', () => {
  test('refuses what is beyond the bound, and keeps what it acknowledged', async () => {
    const seen: CopyRefusal[] = []
    const onRefusal = (refusal: CopyRefusal) => seen.push(refusal)
    const [a, b, c] = await startThree(3, { bytesPerPeer: 250, onRefusal })
    const stored = await Promise.all([100, 101].map((length) => a.store.put(randomBytes(length))))
    for (let attempt = 0; attempt < 3; attempt++) {
      const pushed = a.store.put(randomBytes(102))
      const cause = { message: expect.stringContaining('has no room for more copies') }
      await expect(pushed).rejects.toMatchObject({ code: 'blob/unavailable', cause })
    }
    // Another node has a bound of its own, and what was stored is there.
    const others = await c.store.put(randomBytes(200))
    expect(await Promise.all([...stored, others].map((it) => holdersOf([a, b, c], it)))).toEqual([
      3, 3, 3,
    ])
    const peer = a.address.split('/p2p/')[1]
    const { limit, peers } = b.store.ofPeers?.() ?? fail()
    expect([limit, peers.find((it) => it.peer === peer)]).toMatchObject([250, { bytes: 201 }])
    expect(seen.filter((it) => it.peer === peer)).toEqual([
      ...[
        { peer, bytes: 201, limit: 250 },
        { peer, bytes: 201, limit: 250 },
      ],
    ])
  })
})

describe('a removal', () => {
  test('removes the copies, and the count does not bring them back', async () => {
    const nodes = await startThree(3)
    const name = await nodes[0].store.put(randomBytes(100))
    const other = await nodes[0].store.put(randomBytes(100))
    await nodes[0].store.remove(name)
    await expect.poll(() => holdersOf(nodes, name)).toBe(0)
    await nodes[1].store.put(randomBytes(100))
    expect([await holdersOf(nodes, name), await holdersOf(nodes, other)]).toEqual([0, 3])
  })

  test('by a node that did not store a blob leaves the copies of the others', async () => {
    const nodes = await startThree(3)
    const name = await nodes[0].store.put(randomBytes(100))
    await nodes[1].store.remove(name)
    await untilRepaired(nodes, name, 3)
  })
})

test('a blob that is put again at once has its copies', async () => {
  const nodes = await startThree(3)
  const bytes = randomBytes(64)
  for (let time = 0; time < 10; time++) {
    const name = await nodes[0].store.put(bytes)
    expect(await holdersOf(nodes, name)).toBe(3)
    await nodes[0].store.remove(name)
  }
})

test('a node cannot take back what another one stored meanwhile', async () => {
  const nodes = await startThree(3)
  const bytes = randomBytes(64)
  const name = await nodes[0].store.put(bytes)
  await nodes[1].store.put(bytes)
  // A file that was removed and stored again is another one.
  const files = () => Promise.all(nodes.slice(1).map(({ folder }) => stat(fileOf(folder, name))))
  const before = (await files()).map(({ ino }) => ino)
  await nodes[0].store.remove(name)
  await untilRepaired(nodes, name, 3)
  expect((await files()).map(({ ino }) => ino)).toEqual(before)
})

test('a node that nobody configured stores, proves and removes nothing', async () => {
  const [a] = await startThree()
  const name = await a.store.put(randomBytes(100))
  const before = await blockFiles(a.folder)
  const stranger = await startNode('stranger', { peers: [a.address] })
  await expect(stranger.store.put(randomBytes(100))).rejects.toMatchObject({
    code: 'blob/unavailable',
  })
  await stranger.store.remove(name)
  expect(await blockFiles(a.folder)).toEqual(before)
})

test('a node whose key is not that of its address gets no copy', async () => {
  const [a, b, c] = await startThree()
  await Promise.all([b.store.close(), c.store.close()])
  const listen = b.address.split('/p2p/')[0] ?? ''
  const thief = await startNode('thief', { peers: [a.address] }, { listen })
  await expect(a.store.put(randomBytes(100))).rejects.toMatchObject({ code: 'blob/unavailable' })
  expect(await blockFiles(thief.folder)).toEqual([])
})

async function holding(nodes: readonly Node[], name: Digest): Promise<readonly [Node, Node]> {
  const found: Node[] = []
  for (const node of nodes) if ((await holdersOf([node], name)) === 1) found.push(node)
  const [first, second] = found
  if (first === undefined || second === undefined) throw new Error('There are too few copies.')
  return [first, second]
}

function fail(): never {
  throw new Error('The store counts no copies.')
}
