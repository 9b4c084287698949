import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { rename, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { digest } from '@heirloom/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { longestWait } from '../../../../test/tier.ts'
import { heliaBlobStore } from './helia.ts'
import { blockFiles, emptyFolder, remove } from './test/folders.ts'

const listen = ['/ip4/127.0.0.1/tcp/0']
const same = (one: Uint8Array, other: Uint8Array) => assert.equal(Buffer.compare(one, other), 0)

let parent: string
let here: heliaBlobStore.Output
let there: heliaBlobStore.Output
let peers: readonly string[]
beforeEach(async () => {
  parent = await emptyFolder()
  here = await heliaBlobStore({ folder: join(parent, 'here'), network: { listen, peers: [] } })
  peers = here.addresses()
  there = await openThere(longestWait)
})
afterEach(async () => {
  await Promise.all([here.close(), there.close()])
  await remove(parent)
})

const openThere = (patience: number) =>
  heliaBlobStore({ folder: join(parent, 'there'), network: { listen: [], peers, patience } })

/** Opens the store anew, which waits so long for its peer. */
async function waitFor(patience: number): Promise<void> {
  await there.close()
  there = await openThere(patience)
}

test('a blob put into one store is read from another, and stored there', async () => {
  for (const bytes of [randomBytes(1000), randomBytes(3 * 1_048_576)]) {
    const put = await here.put(bytes)
    same(await there.get(put), bytes)
  }
  expect(await blockFiles(join(parent, 'there'))).toHaveLength(5)
})

test('a blob is read whole by each of several who read it from a peer at once', async () => {
  for (const bytes of [randomBytes(1000), randomBytes(3 * 1_048_576)]) {
    const put = await here.put(bytes)
    const heads = Array.from({ length: 4 }, () => there.head(put))
    const reads = await Promise.all(Array.from({ length: 4 }, () => there.get(put)))
    for (const read of reads) same(read, bytes)
    const begin = await here.head(put)
    for (const head of await Promise.all(heads)) same(head, begin)
    same(await there.get(put), bytes)
  }
})

test('a part of an erased memory is stored no more, though a peer sends it under another root', async () => {
  const bytes = randomBytes(3 * 1_048_576)
  const put = await here.put(bytes)
  const [root, part, other] = (await here.parts?.(put)) ?? []
  if (part === undefined || other === undefined) throw new Error('The blob has too few parts.')
  expect(root).toBe(put)
  await there.close()
  there = await heliaBlobStore({
    folder: join(parent, 'there'),
    network: { listen: [], peers: here.addresses(), isErased: (it) => it === part },
  })
  await expect(there.get(put)).rejects.toMatchObject({ code: 'blob/corrupt' })
  await expect(there.get(part)).rejects.toMatchObject({ code: 'blob/not-found' })
  await expect(there.local.get(part)).rejects.toMatchObject({ code: 'blob/not-found' })
  expect(await there.get(other)).toHaveLength(1_048_576)
})

test('a corrupt block is replaced by that of a peer', async () => {
  const bytes = randomBytes(2 * 1_048_576)
  const put = await here.put(bytes)
  await there.put(bytes)
  for (const file of await blockFiles(join(parent, 'there'))) await truncate(file, 7)
  same(await there.get(put), bytes)
  await here.close()
  same(await there.get(put), bytes)
})

test('a store has the same address after a restart, and listens on no other port', async () => {
  expect(here.addresses()).toEqual([
    expect.stringMatching(/^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/12D3/),
  ])
  expect(there.addresses()).toEqual([])
  const [address = ''] = here.addresses()
  await here.close()
  const again = address.split('/p2p/')[0] ?? ''
  here = await heliaBlobStore({
    folder: join(parent, 'here'),
    network: { listen: [again], peers: [] },
  })
  expect(here.addresses()).toEqual([address])
})

test('a blob that no peer has is `blob/not-found`, at once when there are no peers', async () => {
  const missing = digest(`0x${'ab'.repeat(32)}`)
  const ended: string[] = []
  await waitFor(3000)
  const get = async (store: typeof here, name: string) => {
    await expect(store.get(missing)).rejects.toMatchObject({ code: 'blob/not-found' })
    ended.push(name)
  }
  await Promise.all([get(there, 'with a peer'), get(here, 'without peers')])
  expect(ended).toEqual(['without peers', 'with a peer'])
})

test('a part that no peer sends in time is `blob/unavailable`, until one does', async () => {
  const bytes = randomBytes(2 * 1_048_576)
  const put = await here.put(bytes, 200)
  const files = await blockFiles(join(parent, 'here'))
  const [leaf = ''] = files.filter((file) => statSync(file).size > 1_000_000)
  await rename(leaf, `${leaf}-gone`)
  expect(await there.head(put)).toHaveLength(200)
  await waitFor(3000)
  await expect(there.get(put)).rejects.toMatchObject({ code: 'blob/unavailable' })
  // Here nobody else has the part: it is lost.
  await expect(here.local.get(put)).rejects.toMatchObject({ code: 'blob/corrupt' })
  await rename(`${leaf}-gone`, leaf)
  await waitFor(longestWait)
  same(await there.get(put), bytes)
})

test('what only peers may have is `blob/unavailable` while none can be reached', async () => {
  const bytes = randomBytes(2 * 1_048_576)
  const put = await here.put(bytes, 200)
  expect(await there.head(put)).toHaveLength(200)
  await here.close()
  await waitFor(3000)
  await expect(there.get(put)).rejects.toMatchObject({ code: 'blob/unavailable' })
  const other = digest(`0x${'cd'.repeat(32)}`)
  await expect(there.get(other)).rejects.toMatchObject({ code: 'blob/unavailable' })
})

test('an address in use is `config/invalid`, named', async () => {
  const inUse = here.addresses().map((address) => address.split('/p2p/')[0] ?? '')
  const folder = join(parent, 'third')
  await expect(
    heliaBlobStore({ folder, network: { listen: inUse, peers: [] } }),
  ).rejects.toMatchObject({ code: 'config/invalid', facts: { name: 'IPFS_LISTEN' } })
})
