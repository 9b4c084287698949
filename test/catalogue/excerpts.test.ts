import { hash as digestOf } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hash, isUnderRoot } from '@heirloom/core'
import { createClient } from '@heirloom/http/client'
import { checkSample } from '@heirloom/http/wallet'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { copierAt, pairOf, publicAccount } from '../harness/copier.ts'
import { agentOf, type HostedServer, hostServer } from '../harness/process/server.ts'
import { longestWait } from '../tier.ts'

const home = mkdtempSync(join(tmpdir(), 'excerpts-'))
const sha256 = (bytes: Uint8Array): Uint8Array => digestOf('sha256', bytes, 'buffer')
const document =
  '{"data":{"trades":[{"sold":"the rumour"},{"bought":"the news"}],"plan":"secret"},"metadata":{"category":"trading"}}'
const card = { title: 'Trades', excerpts: ['/data/trades/0', '/metadata/category'] }

let server: HostedServer
let client: ReturnType<typeof createClient>
let tokenId: string
beforeAll(async () => {
  server = await hostServer({ DATA_DIR: home })
  client = createClient({ url: server.url, account: agentOf(home) })
  ;({ tokenId } = await client.snapshot({ document, card }))
})
afterAll(async () => {
  await server.end()
  rmSync(home, { recursive: true })
})

/** Reads the excerpts of a token, once the server has looked at its seal. */
async function excerptsOf(id: string) {
  return vi.waitUntil(
    async () => {
      const read = await client.excerpts(id)
      return read.mark === 'proven' && read
    },
    { interval: 20, timeout: longestWait },
  )
}

test('a snapshot shows its excerpts, proven by the server that sealed them', async () => {
  const { mark, root, excerpts } = await excerptsOf(tokenId)
  expect(mark).toBe('proven')
  expect(excerpts.map(({ pointer, value }) => [pointer, value])).toEqual([
    ['/data/trades/0', '{"sold":"the rumour"}'],
    ['/metadata/category', '"trading"'],
  ])
  for (const it of excerpts) expect(isUnderRoot(it, root as Hash, sha256)).toBe(true)
  expect(JSON.stringify(excerpts)).not.toContain('secret')
  const { token } = await client.lineage(tokenId)
  expect(token.card).toEqual({ title: 'Trades' })
  expect(token.sample).toEqual({
    mark,
    root,
    excerpts: excerpts.map(({ pointer, value }) => ({ pointer, value })),
  })
})

test('whoever opens the memory finds its excerpts true', async () => {
  const opened = await client.download(tokenId)
  expect(await checkSample(client, opened)).toEqual({ mark: 'proven', isTrue: true, wrong: [] })
  const lied = new TextEncoder().encode(document.replace('rumour', 'truth'))
  expect(await checkSample(client, { ...opened, document: lied })).toEqual({
    mark: 'proven',
    isTrue: false,
    wrong: ['/data/trades/0'],
  })
})

test('an excerpt that is not in the memory is refused, and nothing is minted', async () => {
  for (const pointer of ['/data/none', '/data/trades/2', '', 'data']) {
    const refused = client.snapshot({ document, card: { ...card, excerpts: [pointer] } })
    await expect(refused).rejects.toMatchObject({
      code: 'excerpt/not-in-memory',
      facts: { pointer },
    })
  }
  const doubled = document.replace('"plan"', '"trades"')
  const refused = client.snapshot({ document: doubled, card })
  await expect(refused).rejects.toMatchObject({ code: 'excerpt/not-in-memory' })
  expect((await client.memories()).items).toHaveLength(1)
})

test('more excerpts than a card may have are refused, however many, and nothing is minted', async () => {
  const before = (await client.memories()).items.length
  const trades = Array.from({ length: 10_000 }, (_, at) => at)
  const long = JSON.stringify({ data: { trades }, metadata: { category: 'trading' } })
  for (const count of [17, 10_000]) {
    const excerpts = trades.slice(0, count).map((at) => `/data/trades/${at}`)
    const refused = client.snapshot({ document: long, card: { title: 'All', excerpts } })
    await expect(refused).rejects.toMatchObject({ status: 400 })
  }
  expect((await client.memories()).items).toHaveLength(before)
})

test('a copy of the token shows no excerpts', async () => {
  await excerptsOf(tokenId)
  const copier = await copierAt(server.url, publicAccount(3))
  const [copy = ''] = await copier.mint(await pairOf(server.url, tokenId))
  const read = () => client.lineage(copy).catch(() => undefined)
  await vi.waitUntil(async () => (await read())?.token.originality === 'copied', {
    interval: 20,
    timeout: longestWait,
  })
  const { asset, sample } = (await read())?.token ?? {}
  expect([asset?.endsWith(`/${copy}`), sample]).toEqual([true, null])
  const none = { asset, mark: null, root: null, excerpts: [] }
  expect(await client.excerpts(copy)).toMatchObject(none)
})
