import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { toolsFor } from '../../packages/http/src/mcp/tools/tools.ts'
import { interceptingProxy } from '../../packages/http/test/intercepting-proxy.ts'
import { startStdio, toolFailure, toolResult } from '../harness/mcp/mcp.ts'
import { buyer, buyerKey, memory, openSessions, session } from '../harness/mcp/sessions.ts'

const { server, folder, asAgent, asBuyer } = openSessions()

import { hostServer, serverProgram, startServer } from '../harness/process/server.ts'

test('returns the spending limits, and refuses what exceeds them', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mcp-limits-'))
  const limits = { MAX_SPEND_PER_CALL: '10000000000000000', MAX_SPEND_PER_DAY: '15000000000000000' }
  const strict = await hostServer({ DATA_DIR, ...limits })
  onTestFinished(async () => {
    await strict.end()
    rmSync(DATA_DIR, { recursive: true })
  })
  const client = await session({ HEIRLOOM_URL: strict.url, DATA_DIR })
  const { tokenId } = await toolResult(client, 'memory_snapshot', memory)
  expect(await toolResult(client, 'wallet_info')).toMatchObject({
    maxSpendPerCall: limits.MAX_SPEND_PER_CALL,
    maxSpendPerDay: limits.MAX_SPEND_PER_DAY,
  })
  const pay = (amount: string) => ['market_royalty', { tokenId, amount }] as const
  expect(
    await toolFailure(client, ...pay(`${BigInt(limits.MAX_SPEND_PER_CALL) + 1n}`)),
  ).toMatchObject({
    code: 'wallet/call-limit',
    facts: { limit: limits.MAX_SPEND_PER_CALL, needed: expect.stringMatching(/^\d+$/) },
  })
  await toolResult(client, ...pay('8000000000000000'))
  expect(await toolFailure(client, ...pay('8000000000000001'))).toMatchObject({
    code: 'wallet/day-limit',
    facts: { limit: limits.MAX_SPEND_PER_DAY, spent: expect.stringMatching(/^\d+$/) },
  })
})

test('never sends or returns the private key', async () => {
  await using network = await interceptingProxy(server.url)
  const client = await session({ HEIRLOOM_URL: network.url, HEIRLOOM_PRIVATE_KEY: buyerKey })
  const { tokenId } = await toolResult(client, 'memory_snapshot', { ...memory, recipient: buyer })
  expect(await toolResult(client, 'memory_download', { tokenId })).toMatchObject(memory)
  const results = JSON.stringify(
    await Promise.all(
      toolsFor('owner').map(({ name }) => client.callTool({ name, arguments: { tokenId } })),
    ),
  )
  const requests = network.requests
    .flatMap(({ method, path, rawHeaders, body }) => [method, path, ...rawHeaders, `${body}`])
    .join(' ')
  expect(network.requests.length).toBeGreaterThan(10)
  for (const key of [buyerKey.slice(2), buyerKey.slice(2).toUpperCase()]) {
    expect(requests).not.toContain(key)
    expect(results).not.toContain(key)
  }
  expect(requests).toMatch(/x-wallet-signature/i)
})

test('opens no memory without a wallet, and explains what to set', async () => {
  const client = await session({ HEIRLOOM_URL: server.url, DATA_DIR: folder })
  expect(await toolResult(client, 'wallet_info')).toMatchObject({ session: null })
  const { code, sentence } = await toolFailure(client, 'memory_download', { tokenId: '1' })
  expect([code, sentence]).toEqual([
    'client/no-account',
    expect.stringContaining('HEIRLOOM_PRIVATE_KEY'),
  ])
})

test('several sessions use one server at once', async () => {
  const clients = [await asAgent(), await asBuyer(), await asAgent('2025-11-25')]
  const minted = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: 4 }, () => toolResult(client, 'memory_snapshot', memory)),
    ),
  )
  expect(new Set(minted.map(({ tokenId }) => tokenId)).size).toBe(12)
})

test('answers, then exits at the end of its input', () => {
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`
  const options = { env: { PATH: process.env.PATH }, encoding: 'utf8', timeout: 600_000 } as const
  const program = [serverProgram, 'mcp']
  const { status, stdout } = spawnSync(process.execPath, program, { ...options, input })
  expect([status, JSON.parse(stdout)]).toEqual([0, { jsonrpc: '2.0', id: 1, result: {} }])
})

test('answers the calls that are under way at the end of its input', async () => {
  const call = (id: number, name: string, args: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  const input = [
    JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello }),
    call(1, 'save', { name: 'last', value: 'words' }),
    call(2, 'browse', {}),
    call(3, 'show', { memory: 'nobody' }),
  ]
  const env = { PATH: process.env.PATH, HEIRLOOM_URL: server.url, DATA_DIR: server.home }
  // The server may run in this process, so nothing may wait for the session synchronously.
  const child = spawn(process.execPath, [serverProgram, 'mcp'], {
    env,
    timeout: 600_000,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(`${input.join('\n')}\n`)
  const [printed, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const answers = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map(({ id }) => id).toSorted()).toEqual([0, 1, 2, 3])
  const saved = answers.find(({ id }) => id === 1).result.content[0].text
  expect([status, JSON.parse(saved)]).toMatchObject([0, { saved: 'last', version: 1 }])
})

test('exits with its client, even during a call', async () => {
  const { client, transport } = await startStdio({
    HEIRLOOM_URL: server.url,
    DATA_DIR: server.home,
  })
  const { pid } = transport
  expect(isAlive(pid)).toBe(true)
  const call = client
    .callTool({ name: 'memory_snapshot', arguments: memory })
    .catch(() => undefined)
  await client.close()
  await call
  expect(isAlive(pid)).toBe(false)
})

function isAlive(pid: number | null | undefined): boolean {
  try {
    return process.kill(pid ?? 0, 0)
  } catch {
    return false
  }
}

test('reports a killed server as a retryable failure', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mcp-killed-'))
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }))
  const doomed = await startServer({ DATA_DIR })
  const client = await session({ HEIRLOOM_URL: doomed.url, DATA_DIR })
  const { tokenId } = await toolResult(client, 'memory_snapshot', memory)
  await doomed.end('SIGKILL')
  for (const [name, args] of [
    ['memory_info', { tokenId }],
    ['market_royalty', { tokenId, amount: '1' }],
  ] as const) {
    expect(await toolFailure(client, name, args)).toMatchObject({
      code: 'client/unreachable',
      retryable: true,
    })
  }
  await expect(client.listResources()).rejects.toThrow()
})

test.each([
  [
    'HEIRLOOM_URL',
    'elsewhere',
    'HEIRLOOM_URL must be an http or https URL, such as http://127.0.0.1:3000; it is elsewhere.',
  ],
  ['HEIRLOOM_PRIVATE_KEY', '0x12', 'HEIRLOOM_PRIVATE_KEY must be 32 bytes in hexadecimal.'],
  ['HEIRLOOM_FOLDER', '/nowhere', 'HEIRLOOM_FOLDER must be a folder.'],
])('does not start with an invalid %s', async (name, value, sentence) => {
  const env = { PATH: process.env.PATH, [name]: value }
  const { status, stdout, stderr } = spawnSync(process.execPath, [serverProgram, 'mcp'], {
    env,
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([2, '', `${sentence}\n`])
})
