import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { encodeErrorResult, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { startLyingProxy } from '../harness/chain/lying-proxy.ts'
import { openGate, type TcpGate } from '../harness/chain/tcp-gate.ts'
import { until } from '../harness/nonce-lane/lane-fixture.ts'
import { startLoggedServer } from '../harness/observability/logged-server.ts'
import { end } from '../harness/process/child-process.ts'
import { freePort } from '../harness/process/free-port.ts'
import { downloadAs, post, type Snapshot, serverProgram } from '../harness/process/server.ts'

let anvil: Anvil
let settings: Record<string, string>
const key = generatePrivateKey()
const wallet = privateKeyToAccount(key)

beforeAll(async () => {
  anvil = await startAnvil()
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 21n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  settings = {
    AGENT_PRIVATE_KEY: key,
    MASTER_KEYS: '0x'.padEnd(66, '7'),
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
  }
})
afterAll(() => anvil.stop())

/** Opens a way to the node that can be cut, with a key in its address. */
async function openWay(): Promise<TcpGate & { readonly address: string }> {
  const gate = await openGate(Number(anvil.url.port))
  onTestFinished(gate.close)
  return { ...gate, address: `http://127.0.0.1:${gate.port}/?key=hushed` }
}

async function snapshot(url: string, thought: string): Promise<Snapshot> {
  const body = JSON.stringify({ data: { thought }, metadata: { category: 'research' } })
  const response = await post(url, '/api/memory/snapshot', body)
  expect(response.status).toBe(201)
  return (await response.json()) as Snapshot
}

type Ready = { readonly nodes: readonly { readonly place: number; readonly state: string }[] }
const readyz = async (url: string) => (await (await fetch(`${url}/readyz`)).json()) as Ready
const statesOf = async (url: string) => (await readyz(url)).nodes.map(({ state }) => state)

test('a server goes on with its second node, and says which one is out', async () => {
  const [first, second] = [await openWay(), await openWay()]
  const RPC_URL = `${first.address}, ${second.address}`
  const server = await startLoggedServer({ ...settings, RPC_URL })
  const { tokenId } = await snapshot(server.url, 'before')
  first.cut()
  const written = await snapshot(server.url, 'without the first node')
  for (const id of [tokenId, written.tokenId]) {
    expect((await downloadAs(wallet, server.url, id)).status).toBe(200)
  }
  expect(await statesOf(server.url)).toContain('silent')
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200)
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('heirloom_node_up{place="1"} 0\n')
  const lines = () => server.lines().filter(({ node }) => node === 1)
  expect(lines().map(({ msg }) => msg)).toEqual(['Node 1 of 2 in RPC_URL does not answer'])
  expect(JSON.stringify(server.lines()) + metrics).not.toContain('hushed')

  first.open()
  await until(async () => (await statesOf(server.url))[0] === 'up')
  await until(async () => lines().length > 1)
  expect(lines().map(({ msg }) => msg)).toEqual([
    'Node 1 of 2 in RPC_URL does not answer',
    'Node 1 of 2 in RPC_URL answers again',
  ])
  second.cut()
  await snapshot(server.url, 'without the second node')
})

test('a server whose node denies a token of its catalogue does not say that there is none', async () => {
  const proxy = await startLyingProxy(anvil.url)
  onTestFinished(proxy.close)
  const minter = await startLoggedServer({ ...settings, RPC_URL: anvil.url.href })
  const { tokenId } = await snapshot(minter.url, 'denied')
  // The jobs of this server do not know the token.
  const reader = { AGENT_PRIVATE_KEY: generatePrivateKey(), RPC_URL: proxy.url.href }
  const server = await startLoggedServer({ ...settings, ...reader })
  const see = async (path: string) => (await fetch(`${server.url}/api/${path}`)).status
  await until(async () => (await see(`memory/${tokenId}/lineage`)) === 200)
  const abi = parseAbi(['error TokenNotFound(uint256)'])
  const data = encodeErrorResult({ abi, args: [BigInt(tokenId)] })
  proxy.refuse(({ method }) =>
    method === 'eth_call' ? { code: 3, message: 'execution reverted', data } : undefined,
  )
  const paths = [`memory/${tokenId}/info`, `marketplace/listings/${tokenId}`]
  expect(await Promise.all(paths.map(see))).toEqual([503, 503])
  expect((await downloadAs(wallet, server.url, tokenId)).status).toBe(503)
  proxy.refuse()
  proxy.lie(({ method }, truth) =>
    method === 'eth_call' ? `0x${'0'.repeat(String(truth).length - 2)}` : truth,
  )
  expect(await see(`memory/${tokenId}/info`)).toBe(503)
  proxy.lie()
  expect(await Promise.all(paths.map(see))).toEqual([200, 200])
})

test('a server whose nodes are silent listens, and starts when one answers', async () => {
  const way = await openWay()
  way.cut()
  const PORT = String(await freePort())
  const url = `http://127.0.0.1:${PORT}`
  const { promise: printed, resolve } = Promise.withResolvers<string>()
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'waits-'))
  const server = spawn(process.execPath, [serverProgram, 'serve'], {
    env: { ...settings, PATH: process.env.PATH, RPC_URL: way.address, PORT, DATA_DIR },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    await end(server, 'SIGKILL')
    rmSync(DATA_DIR, { recursive: true })
  })
  let isPrinted = false
  server.stdout.once('data', (data) => {
    isPrinted = true
    resolve(String(data).trim())
  })
  await until(() =>
    fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const waiting = await fetch(`${url}/readyz`)
  expect(waiting.status).toBe(503)
  expect(await waiting.json()).toMatchObject({ code: 'ledger/unavailable', component: 'chain' })
  expect((await post(url, '/api/memory/snapshot', '{}')).status).toBe(503)
  expect(isPrinted).toBe(false)
  way.open()
  expect(await printed).toBe(url)
  await snapshot(url, 'after the wait')
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('a start that may not wait ends with an error that names no address', async () => {
  const failed = startLoggedServer({
    ...settings,
    RPC_URL: 'http://user:hushed@127.0.0.1:1/hushed',
    RPC_WAIT: '0',
  })
  const error = (await failed.catch((it: unknown) => it)) as Error
  expect(error.message).toMatch(/^The chain did not answer /)
  expect(error.message).not.toContain('hushed')
})
