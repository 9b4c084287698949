import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { digest } from '@heirloom/core'
import { unixfs } from '@helia/unixfs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { digestOf } from './cid.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { heliaBlobStore } from './helia.ts'
import { blockFiles, emptyFolder, fileOf, remove } from './test/folders.ts'

const mebibyte = 1_048_576
const sha256 = (bytes: Uint8Array) => `0x${createHash('sha256').update(bytes).digest('hex')}`
const same = (one: Uint8Array, other: Uint8Array) => assert.equal(Buffer.compare(one, other), 0)

let folder: string
let store: heliaBlobStore.Output
beforeEach(async () => {
  folder = await emptyFolder()
  store = await heliaBlobStore({ folder })
})
afterEach(async () => {
  await store.close()
  await remove(folder)
})

describe('a blob', () => {
  test.each([0, 1, mebibyte - 1, mebibyte])(
    'of %i bytes is one block under its sha256',
    async (length) => {
      const bytes = randomBytes(length)
      const put = await store.put(bytes)
      expect(put).toBe(sha256(bytes))
      same(await store.get(put), bytes)
      same(await readFile(fileOf(folder, put)), bytes)
      expect(await blockFiles(folder)).toHaveLength(1)
    },
  )

  test.each([
    [mebibyte + 1, 2],
    [20 * mebibyte, 20],
  ])('of %i bytes is a tree of %i blocks under the digest of its root', async (length, parts) => {
    const bytes = randomBytes(length)
    const put = await store.put(bytes)
    same(await store.get(put), bytes)
    expect(await blockFiles(folder)).toHaveLength(parts + 1)
    expect(sha256(await readFile(fileOf(folder, put)))).toBe(put)
  })

  test('has the digest that other IPFS tools compute for it', async () => {
    const bytes = Buffer.alloc(2 * mebibyte + 5, 'heirloom ')
    expect(await store.put(bytes)).toBe(
      '0x56b031e6f4ed624cc158f6eb87841cc3b622f6677a9fc8b81976ddad7756e47a',
    )
  })

  test('has a head of at most 128 KiB: one byte more is refused before anything is stored', async () => {
    const bytes = randomBytes(2 * mebibyte)
    same(await store.head(await store.put(bytes, 131_072)), bytes.subarray(0, 131_072))
    const before = await blockFiles(folder)
    await expect(store.put(randomBytes(2 * mebibyte), 131_073)).rejects.toThrow(
      'The head has 131073 bytes, of at most 131072.',
    )
    expect(await blockFiles(folder)).toEqual(before)
  })

  test('is still there after the folder is opened again', async () => {
    const long = randomBytes(2 * mebibyte)
    const [short, tree] = [await store.put(Buffer.from('short')), await store.put(long)]
    await store.close()
    store = await heliaBlobStore({ folder })
    same(await store.get(short), Buffer.from('short'))
    same(await store.get(tree), long)
  })

  test('with the exact bytes of the root of a tree is distinct from that tree', async () => {
    let bytes: Uint8Array = randomBytes(mebibyte + 1)
    const stored = new Map<string, Uint8Array>()
    for (let depth = 0; depth < 4; depth += 1) {
      const put = await store.put(bytes)
      stored.set(put, bytes)
      bytes = await readFile(fileOf(folder, put))
    }
    expect(stored.size).toBe(4)
    for (const [put, expected] of stored) same(await store.get(digest(put)), expected)
  })

  test('that only resembles a tree is stored unchanged', async () => {
    const long = randomBytes(mebibyte + 1)
    const root = await readFile(fileOf(folder, await store.put(long)))
    for (const bytes of [
      root.subarray(0, -1),
      Buffer.of(0x12),
      Buffer.of(0x0a, 0),
      Buffer.concat([root, root]),
    ]) {
      const put = await store.put(bytes)
      expect(put).toBe(sha256(bytes))
      same(await store.get(put), bytes)
    }
  })
})

describe('a removed blob', () => {
  test.each([100, mebibyte, mebibyte + 40, 20 * mebibyte])(
    'of %i bytes leaves no block behind, and no other blob changes',
    async (length) => {
      const [bytes, other] = [randomBytes(length), randomBytes(2 * mebibyte)]
      const stored = await store.put(other)
      const before = await blockFiles(folder)
      const removed = await store.put(bytes)
      await store.remove(removed)
      expect((await blockFiles(folder)).toSorted()).toEqual(before.toSorted())
      await expect(store.get(removed)).rejects.toMatchObject({ code: 'blob/not-found' })
      same(await store.get(stored), other)
      same(await store.get(await store.put(bytes)), bytes)
    },
  )

  test('with several levels of nodes leaves no block behind', async () => {
    const short = async function* (source: AsyncIterable<Uint8Array>) {
      for await (const bytes of source) {
        for (let at = 0; at < bytes.length; at += 40) yield bytes.subarray(at, at + 40)
      }
    }
    const bytes = randomBytes(40 * 1100)
    const inFiles = { files: 10_000, delay: 60_000 }
    const files = unixfs({ blockstore: await DurableBlockstore.open(folder, inFiles) })
    const put = digestOf(await files.addBytes(bytes, { chunker: short }))
    expect((await blockFiles(folder)).length).toBeGreaterThan(1101)
    await store.remove(put)
    expect(await blockFiles(folder)).toEqual([])
  })

  test('may have missing or corrupt parts', async () => {
    const put = await store.put(randomBytes(3 * mebibyte))
    const [part = ''] = (await blockFiles(folder)).filter((it) => it !== fileOf(folder, put))
    await rm(part)
    await store.remove(put)
    expect(await blockFiles(folder)).toEqual([])

    const short = await store.put(randomBytes(100))
    await writeFile(fileOf(folder, short), 'damage')
    await store.remove(short)
    expect(await blockFiles(folder)).toEqual([])
  })

  test('of which only a part could be deleted is not found', async () => {
    const bytes = randomBytes(3 * mebibyte)
    const put = await store.put(bytes)
    const parts = (await blockFiles(folder)).filter((it) => it !== fileOf(folder, put))
    for (const part of parts) {
      await rm(part)
      await mkdir(part)
    }
    await expect(store.remove(put)).rejects.toMatchObject({ code: 'blob/unavailable' })
    await expect(store.get(put)).rejects.toMatchObject({ code: 'blob/not-found' })
    for (const part of parts) await rmdir(part)
    same(await store.get(await store.put(bytes)), bytes)
  })

  test('keeps its last part when that is too short to be unique', async () => {
    const tail = Buffer.from('short')
    const [one, other] = [randomBytes(mebibyte), randomBytes(mebibyte)].map((bytes) =>
      Buffer.concat([bytes, tail]),
    ) as [Buffer, Buffer]
    const [removed, stored] = [await store.put(one), await store.put(other)]
    await store.remove(removed)
    same(await store.get(stored), other)
  })
})

test('opens no port and sends no request, not even for a blob it does not have', async () => {
  const activity: string[] = []
  const channels = [
    'net.client.socket',
    'tracing:net.server.listen:asyncStart',
    'udp.socket',
    'undici:request:create',
  ]
  const record = (_: unknown, channel: string | symbol) => activity.push(String(channel))
  for (const channel of channels) subscribe(channel, record)
  const servers = () => process.getActiveResourcesInfo().filter((name) => /Server|UDP/.test(name))

  const before = servers().length
  const other = await heliaBlobStore({ folder: `${folder}/other` })
  await other.get(await other.put(randomBytes(2 * mebibyte)))
  await expect(other.get(digest(sha256(randomBytes(8))))).rejects.toMatchObject({
    code: 'blob/not-found',
  })
  // Servers of earlier tests in this process may end meanwhile.
  expect(servers().length).toBeLessThanOrEqual(before)
  await other.close()

  for (const channel of channels) unsubscribe(channel, record)
  expect(activity).toEqual([])
})
