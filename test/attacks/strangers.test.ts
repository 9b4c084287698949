import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it, onTestFinished } from 'vitest'
import { memoryLimit } from '../harness/process/memory-limit.ts'
import {
  agentOf,
  downloadAs,
  post,
  type RunningServer,
  rpc,
  type Snapshot,
  serverProgram,
  startServer,
} from '../harness/process/server.ts'

const gibibyte = 2 ** 30
/** The second of the well-known test accounts, which every chain gives tokens to. */
const attacker = privateKeyToAccount(
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
)

const loop = '0x5b5f56'
/** Nearly one EVM step for each unit of gas, which takes the most memory. */
const dense: Hex = `0x${'5b'.repeat(1_000)}5f56`
const logging: Hex = `0x5b${'5f5fa0'.repeat(1_000)}5f56`

/** Starts a server with a memory limit of 1 GiB. */
async function startLimited(DATA_DIR: string) {
  const limit = memoryLimit(gibibyte)
  const server = await startServer({ DATA_DIR }, process.env.HEIRLOOM_PROGRAM, limit)
  onTestFinished(async () => {
    await server.end('SIGKILL')
    limit.remove()
  })
  return { ...server, peak: limit.peak }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-strangers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const postRpc = (url: string, body: unknown) => post(url, '/rpc', JSON.stringify(body))
const call = (method: string, ...params: readonly unknown[]) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

/** Sends a transaction, and returns the error if it is refused. */
async function send(url: string, fields: { nonce: number; gas: bigint; to?: Hex; data?: Hex }) {
  const raw = await attacker.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    ...fields,
  })
  const reply = await postRpc(url, call('eth_sendRawTransaction', raw))
  return ((await reply.json()) as { error?: { code: number; message: string } }).error
}

/** Calls /livez a hundred times a second until an attack is over, and returns the sorted latencies in milliseconds. */
async function measureLatency({ url, process: child }: RunningServer, attack: Promise<unknown>) {
  let isOver = false
  const stop = () => {
    isOver = true
  }
  attack.then(stop, stop)
  const exited = once(child, 'exit')
  const latencies: number[] = []
  while (!isOver) {
    const startedAt = performance.now()
    const alive = await Promise.race([fetch(`${url}/livez`), exited])
    if (!(alive instanceof Response)) throw new Error(`The server ended: ${alive}`)
    expect(alive.status).toBe(200)
    latencies.push(performance.now() - startedAt)
    await pause(10)
  }
  return latencies.toSorted((one, other) => one - other)
}

/** Expects that a server under attack responds in time, and stays within its memory limit. */
async function expectUndisturbed(
  server: Awaited<ReturnType<typeof startLimited>>,
  attack: Promise<unknown>,
) {
  const began = performance.now()
  const latencies = await measureLatency(server, attack)
  await attack
  const lasted = performance.now() - began
  const at = (share: number) =>
    Math.round(latencies[Math.floor((latencies.length - 1) * share)] ?? 0)
  const seen = { requests: latencies.length, p50: at(0.5), p99: at(0.99), longest: at(1) }
  const report = { ...seen, megabytes: Math.round(server.peak() / 1e6) }
  process.stderr.write(`${expect.getState().currentTestName}: ${JSON.stringify(report)}\n`)
  // A server that the attack blocks answers when it is over.
  expect(seen.p99).toBeLessThan(lasted / 4)
  expect(server.peak()).toBeLessThan(gibibyte)
}

const isOpen = async (url: string) => {
  const { status } = await post(url, '/api/memory/snapshot', memory)
  expect(status).toBe(201)
}
const memory = JSON.stringify({ data: { mood: 'calm' }, metadata: { category: 'research' } })

it('endless calls, alone and in a batch of 100, neither crash nor block a server with 1 GiB', async () => {
  const server = await startLimited(newFolder())
  const attack = async () => {
    for (const method of ['eth_call', 'eth_estimateGas']) {
      for (const data of [loop, dense]) await postRpc(server.url, call(method, { data }))
    }
    const state = { [attacker.address]: { code: dense } }
    const overridden = call('eth_call', { to: attacker.address }, 'latest', state)
    await postRpc(server.url, Array(100).fill(overridden))
  }
  await expectUndisturbed(server, attack())
  await isOpen(server.url)
  expect(await server.end('SIGTERM')).toBe(0)
})

it('looping transactions are refused or small, and the folder opens again in 1 GiB', async () => {
  const DATA_DIR = newFolder()
  const first = await startLimited(DATA_DIR)
  const sent: unknown[] = []
  const attack = async () => {
    for (const nonce of [0, 1, 2]) {
      sent.push(await send(first.url, { nonce, gas: 2n ** 24n, data: loop }))
    }
    for (let nonce = 0; nonce < 12; nonce += 1) {
      sent.push(await send(first.url, { nonce, gas: 150_000n, data: nonce % 2 ? loop : dense }))
    }
  }
  await expectUndisturbed(first, attack())
  const tooLarge = { code: -32000, message: expect.stringMatching(/too high: .* at most 150048/) }
  expect(sent.slice(0, 4)).toEqual([tooLarge, tooLarge, tooLarge, undefined])
  await isOpen(first.url)
  const mined = await rpc(first.url, 'eth_blockNumber', [])
  expect(await first.end('SIGTERM')).toBe(0)
  const again = await startLimited(DATA_DIR)
  await isOpen(again.url)
  expect(again.peak()).toBeLessThan(gibibyte)
  expect(Number(await rpc(again.url, 'eth_blockNumber', []))).toBe(Number(mined) + 1)
})

it('log filters are refused, and a flood of logs stays within 1 GiB', async () => {
  const server = await startLimited(newFolder())
  const attack = async () => {
    for (let filter = 0; filter < 300; filter += 1) {
      const reply = await postRpc(server.url, call('eth_newFilter', { fromBlock: '0x0' }))
      expect(await reply.json()).toMatchObject({ error: { code: -32601 } })
    }
    const flood = { nonce: 0, gas: 4_000_000n, data: logging }
    expect(await send(server.url, flood)).toMatchObject({ code: -32000 })
    for (let nonce = 0; nonce < 8; nonce += 1) {
      await send(server.url, { ...flood, nonce, gas: 150_000n })
    }
    await postRpc(server.url, Array(100).fill(call('eth_getLogs', { fromBlock: '0x0' })))
  }
  await expectUndisturbed(server, attack())
  await isOpen(server.url)
})

it('a folder with transactions beyond the limits does not open in 1 GiB, until it is repaired', async () => {
  const DATA_DIR = newFolder()
  const unlimited = await startServer({ DATA_DIR, RPC_GAS: String(2 ** 23) })
  onTestFinished(() => void unlimited.end('SIGKILL'))
  const snapshot = (await (
    await post(unlimited.url, '/api/memory/snapshot', memory)
  ).json()) as Snapshot
  expect(await send(unlimited.url, { nonce: 0, gas: 8_000_000n, data: loop })).toBe(undefined)
  await isOpen(unlimited.url)
  expect(await unlimited.end('SIGTERM')).toBe(0)
  await expect(startLimited(DATA_DIR)).rejects.toThrow()

  const chain = async (...words: readonly string[]) => {
    const limit = memoryLimit(gibibyte)
    const [program, rest] = limit.command(process.execPath, [serverProgram, 'chain', ...words])
    const { stdout } = await promisify(execFile)(program, rest, {
      env: { ...process.env, DATA_DIR },
    })
    limit.remove()
    return JSON.parse(stdout)
  }
  const costly = [{ entry: 4, sender: attacker.address, nonce: 0, gas: '8000000' }]
  expect(await chain('status', '--json')).toEqual({ entries: 5, costly })
  expect(await chain('repair', '--json')).toMatchObject({ removed: costly, refused: [] })
  expect(await chain('repair', '--write', '--json')).toMatchObject({
    removed: costly,
    backup: expect.stringMatching(/^chain\.sqlite\.before-repair-\d+$/),
  })
  const again = await startLimited(DATA_DIR)
  const opened = await downloadAs(agentOf(DATA_DIR), again.url, snapshot.tokenId)
  expect([opened.status, await opened.text()]).toEqual([200, memory])
  await isOpen(again.url)
})
