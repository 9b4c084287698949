import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { type Digest, digest, erase } from '@heirloom/core'
import { erasePartsOver, memoryErasures, memoryHarness } from '@heirloom/testkit'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { serve } from '../../packages/http/src/server/serve.ts'
import { pairOf } from '../harness/copier.ts'
import { eraserAt } from '../harness/eraser.ts'
import { agentOf, downloadAs } from '../harness/process/server.ts'

const parent = mkdtempSync(join(tmpdir(), 'erased-'))
afterAll(() => rmSync(parent, { recursive: true }))

async function start(home: string) {
  const server = await serve(readConfig({ DATA_DIR: home, PORT: '0', LOG_LEVEL: 'silent' }))
  onTestFinished(server.close)
  await server.ready
  const { url } = server
  const snapshot = async (body: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/api/memory/snapshot`, init)
    return ((await response.json()) as { tokenId: string }).tokenId
  }
  const found = async (words: string) => {
    const { items } = (await (await fetch(`${url}/api/memory?search=${words}`)).json()) as {
      items: readonly { tokenId: string }[]
    }
    return items.map(({ tokenId }) => tokenId)
  }
  const excerptsOf = async (id: string) => {
    const body = await (await fetch(`${url}/api/memory/${id}/excerpts`)).json()
    return (body as { excerpts: readonly object[] }).excerpts
  }
  const statusOf = async (id: string) => (await downloadAs(agentOf(home), url, id)).status
  return { ...server, snapshot, found, excerptsOf, statusOf, eraser: await eraserAt(url) }
}

/** Returns the names of all blocks in a folder, in files and in the file of the small ones. */
async function blocksIn(home: string, names: readonly Digest[]): Promise<readonly Digest[]> {
  const store = await heliaBlobStore({ folder: join(home, 'blobs') })
  try {
    const found = await Promise.all(
      names.map((it) =>
        store.local.get(it).then(
          () => [it],
          () => [],
        ),
      ),
    )
    return found.flat()
  } finally {
    await store.close()
  }
}

async function partsIn(home: string, name: Digest): Promise<readonly Digest[]> {
  const store = await heliaBlobStore({ folder: join(home, 'blobs') })
  try {
    return (await store.parts?.(name)) ?? []
  } finally {
    await store.close()
  }
}

const card = (title: string) => ({ title, description: `the story of ${title}`, tags: ['spring'] })
const metadata = { category: 'research' }
// Random text does not get shorter by compression, so that it is several blocks long.
const long = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
  .toString('base64')
  .repeat(6)

test('an erased memory is gone, with its card and all its blocks, and nothing brings it back', async () => {
  const home = join(parent, 'home')
  const first = await start(home)
  const whole = await first.snapshot({ data: { long }, metadata, card: card('Kept') })
  const shown = { ...card('Gone'), excerpts: ['/metadata/category'] }
  const gone = await first.snapshot({ data: { long: `${long}!` }, metadata, card: shown })
  expect(await first.statusOf(gone)).toBe(200)
  await expect.poll(() => first.found('story')).toEqual([gone, whole])
  await expect.poll(() => first.excerptsOf(gone)).toHaveLength(1)
  const sealed = digest((await pairOf(first.url, gone)).digest)
  await first.close()
  const parts = await partsIn(home, sealed)
  expect(parts[0]).toBe(sealed)
  const backup = join(parent, 'backup')
  cpSync(home, backup, { recursive: true })

  const second = await start(home)
  expect(await second.eraser.send(gone)).toMatchObject({ status: 200, isRemoved: true })
  expect(await second.found('story')).toEqual([whole])
  expect(await second.excerptsOf(gone)).toEqual([])
  const lineage = await fetch(`${second.url}/api/memory/${gone}/lineage`)
  const { token } = (await lineage.json()) as { readonly token: object }
  const none = { card: null, sample: null, listing: null }
  expect(token).toMatchObject({ ...none, erasedAt: expect.any(String) })
  await second.close()
  expect(await blocksIn(home, parts)).toEqual([])

  // Somebody restores the blocks and the catalogue of a backup, and not the list.
  for (const name of readdirSync(backup).filter((it) => /^(blobs|catalogue)/.test(it))) {
    rmSync(join(home, name), { recursive: true })
    cpSync(join(backup, name), join(home, name), { recursive: true })
  }
  expect(await blocksIn(home, parts)).toEqual(parts)
  const third = await start(home)
  expect([await third.statusOf(gone), await third.statusOf(whole)]).toEqual([410, 200])
  await expect.poll(() => third.found('story')).toEqual([whole])
  expect(await third.excerptsOf(gone)).toEqual([])
  await third.close()
  expect(readFileSync(join(home, 'catalogue.sqlite'), 'latin1')).not.toContain('/metadata/category')
  expect(await blocksIn(home, parts)).toEqual([])
  expect(existsSync(join(home, 'erased.blobs'))).toBe(true)
})

test('a root that a stranger put together from parts of another memory takes nothing along', async () => {
  const store = await heliaBlobStore({ folder: join(parent, 'spliced') })
  onTestFinished(store.close)
  const keys = sealingKeyRing([new Uint8Array(32).fill(7)])
  const cipher = naclCipher({ keys, documentLimit: 2 ** 20 })
  const harness = memoryHarness()
  const [thief] = harness.parties
  const ledger = thief?.ledger
  if (thief === undefined || ledger === undefined) throw new Error('There are parties.')
  // The thief's head is authentic, and its payload is that of the victim.
  const payload = randomBytes(300_000)
  const victim = await store.put(Buffer.concat([randomBytes(200), payload]), 200)
  const context = { registry: ledger.registry, creator: ledger.agent }
  const own = Buffer.from('{"data":{},"metadata":{"category":"theft"}}')
  const { sealed, headLength, contentHash } = await cipher.seal(own, context, { blobs: store })
  const head = sealed.subarray(0, headLength)
  const spliced = await store.put(Buffer.concat([head, payload]), headLength)
  const [, , shared] = (await store.parts?.(spliced)) ?? []
  expect(await store.parts?.(victim)).toContain(shared)
  const token = { contentHash, digest: spliced, parent: undefined, recipient: ledger.agent }
  const { tokenId } = await ledger.mint(token)

  const added: Digest[] = []
  const erasures = {
    ...memoryErasures(),
    add: async (digests: readonly Digest[]) => void added.push(...digests),
  }
  const parts = erasePartsOver(harness, { blobStore: store, cipher, erasures })
  await erase({ ...parts, forget: async () => true }, { tokenId, account: ledger.agent })
  expect(added).toEqual([spliced])
  await store.removeParts?.(added)
  expect(await store.get(victim)).toHaveLength(300_200)
})
