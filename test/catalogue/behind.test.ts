import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import { deployContracts } from '@heirloom/adapters/contracts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { type LyingProxy, startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { wrongAnswers } from '../harness/chain/wrong-answers.ts'
import { until } from '../harness/nonce-lane/lane-fixture.ts'
import { hostServer, post, type Snapshot } from '../harness/process/server.ts'
import { longestWait } from '../tier.ts'

let anvil: Anvil
let proxy: LyingProxy
let url: string
let contracts: sqlCatalogue.Options['contracts']
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  cleanups.push(anvil.stop)
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 21n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  contracts = { registry, marketplace }
  proxy = await startLyingProxy(anvil.url)
  cleanups.push(proxy.close)
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-behind-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const server = await hostServer({
    AGENT_PRIVATE_KEY: key,
    MASTER_KEYS: '0x'.padEnd(66, '7'),
    DATA_DIR: folder,
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    RPC_URL: proxy.url.href,
    LOG_LEVEL: 'silent',
  })
  url = server.url
  cleanups.push(server.end)
}, longestWait)
afterAll(async () => {
  for (const cleanUp of cleanups.toReversed()) await cleanUp()
})

async function snapshot(thought: string): Promise<string> {
  const body = JSON.stringify({ data: { thought }, metadata: { category: 'research' } })
  const response = await post(url, '/api/memory/snapshot', body)
  expect(response.status).toBe(201)
  return ((await response.json()) as Snapshot).tokenId
}

async function answerOf(path: string): Promise<{ status: number; code: string | undefined }> {
  const response = await fetch(`${url}${path}`)
  return { status: response.status, code: ((await response.json()) as { code?: string }).code }
}

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

const isReady = async () => (await answerOf('/readyz')).status === 200

const parts = ['history', 'lineage', 'rentals', 'excerpts', 'ratings']

for (const name of ['no events', 'null for events']) {
  test(`a catalogue says that it is behind while its node shows ${name}, and goes on`, async () => {
    await snapshot(`before ${name}`)
    await until(isReady)
    proxy.lie(wrongAnswers[name]?.())
    onTestFinished(() => proxy.lie())
    const id = await snapshot(`while there are ${name}`)
    await until(async () => !(await isReady()))
    expect(await answerOf('/readyz')).toMatchObject({ status: 503, code: 'catalogue/behind' })
    expect(await gauge('heirloom_catalogue_lag_blocks')).toBeGreaterThan(0)
    expect(await gauge('heirloom_catalogue_doubtful_blocks')).toBeGreaterThan(0)
    for (const part of parts) {
      const behind = { status: 503, code: 'catalogue/behind' }
      expect(await answerOf(`/api/memory/${id}/${part}`), part).toEqual(behind)
      const absent = { status: 404, code: 'token/not-found' }
      expect(await answerOf(`/api/memory/999/${part}`), part).toEqual(absent)
    }
    proxy.lie()
    await until(isReady)
    for (const part of parts) {
      expect(await answerOf(`/api/memory/${id}/${part}`), part).toMatchObject({ status: 200 })
    }
    expect(await gauge('heirloom_catalogue_lag_blocks')).toBe(0)
    expect(await gauge('heirloom_catalogue_doubtful_blocks')).toBe(0)
  })
}

test('a catalogue whose node is silent keeps nobody waiting for the newest block', async () => {
  const silence = Promise.withResolvers<unknown>()
  let ask: (call: object) => Promise<unknown> = testClient(anvil).request as never
  const request = (call: object) => ask(call)
  const chain = { request, requestElsewhere: request }
  const catalogue = await sqlCatalogue({ chain, contracts, db: ':memory:' })
  onTestFinished(() => catalogue.close())
  onTestFinished(() => silence.reject(new Error('The node is gone.')))
  ask = () => silence.promise
  const waiting = new AbortController()
  const caughtUp = catalogue.caughtUp(waiting.signal)
  waiting.abort()
  await caughtUp
})
