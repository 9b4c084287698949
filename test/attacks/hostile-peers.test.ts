import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { readHeader } from '@heirloom/adapters/cipher'
import { digest } from '@heirloom/core'
import type { CID } from 'multiformats/cid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cidOf, digestOf, rawCode, treeCode } from '../../packages/adapters/src/blob-store/cid.ts'
import { DurableBlockstore } from '../../packages/adapters/src/blob-store/durable-blockstore.ts'
import {
  type Link,
  linksOf,
  plantFile,
  plantLeaf,
  plantNode,
} from '../../packages/adapters/src/blob-store/test/plant-tree.ts'
import { copierAt, type Pair, publicAccount } from '../harness/copier.ts'
import { eraserAt } from '../harness/eraser.ts'
import { peakOf } from '../harness/process/memory-limit.ts'
import {
  downloadAs,
  post,
  type RunningServer,
  type Snapshot,
  startServer,
} from '../harness/process/server.ts'
import { pairOfSeal, sealerAt } from '../harness/sealer.ts'

const mebibyte = 2 ** 20
const stranger = publicAccount(3)
const folderOf = (name: string) => mkdtempSync(join(tmpdir(), name))
const [home, planted] = [folderOf('attacked-'), folderOf('hostile-')]
const contentHash = `0x${'11'.repeat(32)}` as const

let peer: heliaBlobStore.Output
let blocks: DurableBlockstore
let server: RunningServer
let copier: Awaited<ReturnType<typeof copierAt>>
/** A tree of two gibibytes: 2,046 times one leaf, after the first leaf. */
let long: (first: Link) => Promise<CID>
beforeAll(async () => {
  blocks = await DurableBlockstore.open(planted)
  const leaf = { to: await plantLeaf(blocks, randomBytes(mebibyte)), bytes: mebibyte }
  const links = Array.from({ length: 2046 }, () => leaf)
  long = (first) => plantFile(blocks, [first, ...links])
})
afterAll(async () => {
  await server.end('SIGTERM')
  await peer.close()
  for (const folder of [home, planted]) rmSync(folder, { recursive: true })
})

/** Returns the bytes of the blocks that the server has stored. */
const storedBytes = () =>
  readdirSync(join(home, 'blobs', 'blocks'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/** Mints a token of a tree that begins with some bytes, and opens it as its owner. */
async function openTree(head: Uint8Array, mint: (pair: Pair) => Promise<readonly string[]>) {
  const first = { to: await plantLeaf(blocks, head), bytes: head.length }
  const [tokenId = ''] = await mint({ contentHash, digest: digestOf(await long(first)) })
  const response = await downloadAs(stranger, server.url, tokenId)
  return { status: response.status, code: ((await response.json()) as { code: string }).code }
}

describe('a tree of two gibibytes that a peer sends for the token of a stranger', () => {
  beforeAll(async () => {
    peer = await heliaBlobStore({
      folder: planted,
      network: { listen: ['/ip4/127.0.0.1/tcp/0'], peers: [] },
    })
    server = await startServer({ DATA_DIR: home, IPFS_PEERS: peer.addresses().join(',') })
    copier = await copierAt(server.url, stranger)
  })

  test('is not read when its head is none of this server', async () => {
    const before = peakOf(server.process.pid)
    const reply = await openTree(randomBytes(1000), copier.mint)
    expect(reply).toEqual({ status: 500, code: 'bundle/unreadable' })
    expect(storedBytes()).toBeLessThan(mebibyte)
    expect(peakOf(server.process.pid) - before).toBeLessThan(128 * mebibyte)
  })

  test('is not read when its head promises less, is of another creator, or was changed', async () => {
    const sealer = await sealerAt(server.url, stranger)
    const sealed = await peer.get(pairOfSeal(await sealer.seal('of the stranger')).digest as never)
    const head = sealed.slice(0, readHeader(sealed).length)
    const before = peakOf(server.process.pid)
    expect(await openTree(head, copier.mint)).toEqual({ status: 500, code: 'blob/corrupt' })

    const other = await copierAt(server.url, publicAccount(4))
    const mintForStranger = (pair: Pair) => other.mint(pair, stranger.address)
    const copied = await openTree(head, mintForStranger)
    expect(copied).toEqual({ status: 403, code: 'access/copied' })

    const changed = head.with(head.length - 1, (head.at(-1) ?? 0) ^ 1)
    const unreadable = { status: 500, code: 'bundle/unreadable' }
    expect(await openTree(changed, copier.mint)).toEqual(unreadable)
    expect(storedBytes()).toBeLessThan(mebibyte)
    expect(peakOf(server.process.pid) - before).toBeLessThan(128 * mebibyte)
  })

  test('is not read when it is said to be a card', async () => {
    const before = peakOf(server.process.pid)
    const leaf = randomBytes(1000)
    const first = { to: await plantLeaf(blocks, leaf), bytes: leaf.length }
    const digest = digestOf(await long(first))
    await copier.mintDescribed({ contentHash, digest })
    // Its card is looked up after that one, or beside it.
    const card = { title: 'A later card' }
    const body = JSON.stringify({ data: {}, metadata: { category: 'research' }, card })
    const snapshot = (await (
      await post(server.url, '/api/memory/snapshot', body)
    ).json()) as Snapshot
    const shown = async () => {
      const found = await fetch(`${server.url}/api/memory?contentHash=${snapshot.contentHash}`)
      return await found.json()
    }
    await expect.poll(shown).toMatchObject({ items: [{ card }] })
    expect(storedBytes()).toBeLessThan(mebibyte)
    expect(peakOf(server.process.pid) - before).toBeLessThan(128 * mebibyte)
  })

  test('is not in memory as a whole when anybody checks its integrity', async () => {
    const sealer = await sealerAt(server.url, stranger)
    const text = randomBytes(12 * mebibyte).toString('base64')
    const own = await peer.get(pairOfSeal(await sealer.seal(text)).digest as never)
    const [pack = new Uint8Array()] = readHeader(own).packs ?? []
    const packed = digest(`0x${Buffer.from(pack).toString('hex')}`)
    // Its maker asks the server for the root of the pack, as any peer can.
    await peer.head(packed)
    const [, leaf] = await linksOf(blocks, cidOf(packed, treeCode))
    if (leaf === undefined) throw new Error('The pack has a leaf beside its head.')
    expect(leaf.bytes).toBe(mebibyte)
    const root = await plantFile(
      blocks,
      Array.from({ length: 2040 }, () => leaf),
    )
    const [tokenId = ''] = await copier.mint({ contentHash, digest: digestOf(root) })
    const before = peakOf(server.process.pid)
    // Its first leaf, which is no head, is read here, and its nodes are stored.
    expect((await downloadAs(stranger, server.url, tokenId)).status).toBe(500)
    const checked = await fetch(`${server.url}/api/memory/${tokenId}/integrity`)
    expect(await checked.json()).toMatchObject({ present: true, bytes: 2040 * leaf.bytes })
    expect(peakOf(server.process.pid) - before).toBeLessThan(128 * mebibyte)
  })
})

test('a seller cannot erase a sold memory by another root over its block', async () => {
  const [seller, buyer] = [publicAccount(5), publicAccount(7)]
  const sealer = await sealerAt(server.url, seller)
  const sealed = await sealer.seal('sold')
  const sold = await sealer.mint(sealed)
  const market = await copierAt(server.url, seller)
  await market.transfer(sold, buyer.address)
  const { digest: own, contentHash: hash } = pairOfSeal(sealed)
  const { length } = await peer.get(own as never)
  const root = await plantNode(blocks, [{ to: cidOf(own as never, rawCode), bytes: length }])
  const [again = ''] = await market.mint({ contentHash: hash, digest: digestOf(root) })
  const eraser = await eraserAt(server.url)
  expect(await eraser.erase(seller, again)).toMatchObject({ status: 500, code: 'blob/corrupt' })
  expect((await downloadAs(buyer, server.url, sold)).status).toBe(200)
})
