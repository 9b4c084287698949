import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { deployContracts } from '@heirloom/adapters/contracts'
import { memoize } from '@heirloom/adapters/internal/platform'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { lieAboutReceipts, wrongs } from '../harness/chain/wrong-receipts.ts'
import { hostCommand } from '../harness/process/hosted-command.ts'
import { downloadAs, hostServer } from '../harness/process/server.ts'

/** Starts a server behind a proxy that can lie about the receipts of its node. */
async function openServer() {
  const anvil = await startAnvil()
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const proxy = await startLyingProxy(anvil.url)
  const folder = mkdtempSync(join(tmpdir(), 'stored-memories-'))
  const environment = {
    DATA_DIR: folder,
    RPC_URL: proxy.url.href,
    AGENT_PRIVATE_KEY: key,
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    MASTER_KEYS: '0x'.padEnd(66, '7'),
    LOG_LEVEL: 'silent',
  }
  const server = await hostServer(environment)
  const end = memoize(() => server.end())
  onTestFinished(async () => {
    await end()
    await proxy.close()
    await anvil.stop()
    rmSync(folder, { recursive: true })
  })
  return { url: server.url, wallet, proxy, folder, environment, end }
}

async function snapshot(url: string, key: string): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': key.replaceAll(/[^a-z]/g, '-'),
  }
  const memory = { data: { key }, metadata: { category: 'research' }, card: { title: key } }
  const body = JSON.stringify(memory)
  return fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
}

test('a memory stays stored and opens, whatever a node says once of its mint', async () => {
  const { url, wallet, proxy } = await openServer()
  expect((await snapshot(url, 'first')).status).toBe(201)
  for (const [kind, wrong] of Object.entries(wrongs)) {
    const sent = await lieAboutReceipts(proxy, { wrong, times: 1 })
    const made = await snapshot(url, kind)
    const body = await made.text()
    expect([made.status, sent.times], `${kind}: ${body}`).toEqual([201, 1])
    proxy.lie()
    const again = await snapshot(url, kind)
    expect([again.status, await again.text()], kind).toEqual([201, body])
    const { tokenId } = JSON.parse(body)
    const integrity = await fetch(`${url}/api/memory/${tokenId}/integrity`)
    expect(await integrity.json(), kind).toMatchObject({ present: true, matches: true })
    const opened = await downloadAs(wallet, url, tokenId)
    expect([opened.status, await opened.text()], kind).toEqual([200, expect.stringContaining(kind)])
  }
})

test('a memory that is lost on a chain elsewhere is counted, and named by the doctor', async () => {
  const { url, folder, environment, end } = await openServer()
  expect((await snapshot(url, 'lost')).status).toBe(201)
  await end()
  const blocks = join(folder, 'blobs', 'blocks')
  for (const shard of readdirSync(blocks)) rmSync(join(blocks, shard), { recursive: true })
  const env = { PATH: process.env.PATH, ...environment }
  const doctor = hostCommand({ words: ['doctor'], env })
  expect(await text(doctor.stdout)).toMatch(/^fail +memories .*1 are not stored here/m)
  const again = await hostServer(environment)
  onTestFinished(async () => void (await again.end()))
  const ready = async () => (await fetch(`${again.url}/readyz`)).json()
  await expect.poll(ready).toMatchObject({ components: { memories: 'memories/lost' } })
  const metrics = await (await fetch(`${again.url}/metrics`)).text()
  expect(metrics).toContain('heirloom_memories_lost{state="missing"} 1')
})
