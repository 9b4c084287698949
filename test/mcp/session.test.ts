import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolsFor } from '../../packages/http/src/mcp/tools/tools.ts'
import { interceptingProxy } from '../../packages/http/test/intercepting-proxy.ts'
import { overStdio, refusal, told } from '../harness/mcp/mcp.ts'
import {
  asAgent,
  asBuyer,
  buyer,
  buyerKey,
  folder,
  memory,
  opened,
  server,
  session,
} from '../harness/mcp/sessions.ts'
import { serverProgram, startServer } from '../harness/process/server.ts'

test('tells the limits of what may be spent, and what goes over them', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mcp-limits-'))
  const limits = { MAX_SPEND_PER_CALL: '10000000000000000', MAX_SPEND_PER_DAY: '15000000000000000' }
  const strict = await startServer({ DATA_DIR, ...limits })
  opened.push(async () => {
    await strict.end('SIGTERM')
    rmSync(DATA_DIR, { recursive: true })
  })
  const client = await session({ HEIRLOOM_URL: strict.url, DATA_DIR })
  const { tokenId } = await told(client, 'memory_snapshot', memory)
  expect(await told(client, 'wallet_info')).toMatchObject({
    maxSpendPerCall: limits.MAX_SPEND_PER_CALL,
    maxSpendPerDay: limits.MAX_SPEND_PER_DAY,
  })
  const pay = (amount: string) => ['market_royalty', { tokenId, amount }] as const
  expect(await refusal(client, ...pay(`${BigInt(limits.MAX_SPEND_PER_CALL) + 1n}`))).toMatchObject({
    code: 'wallet/call-limit',
    facts: { limit: limits.MAX_SPEND_PER_CALL, needed: expect.stringMatching(/^\d+$/) },
  })
  await told(client, ...pay('8000000000000000'))
  expect(await refusal(client, ...pay('8000000000000001'))).toMatchObject({
    code: 'wallet/day-limit',
    facts: { limit: limits.MAX_SPEND_PER_DAY, spent: expect.stringMatching(/^\d+$/) },
  })
})

test('keeps the private key to itself', async () => {
  await using way = await interceptingProxy(server.url)
  const client = await session({ HEIRLOOM_URL: way.url, HEIRLOOM_PRIVATE_KEY: buyerKey })
  const { tokenId } = await told(client, 'memory_snapshot', { ...memory, recipient: buyer })
  expect(await told(client, 'memory_download', { tokenId })).toMatchObject(memory)
  const answers = JSON.stringify(
    await Promise.all(
      toolsFor('owner').map(({ name }) => client.callTool({ name, arguments: { tokenId } })),
    ),
  )
  const heard = way.asked
    .flatMap(({ method, path, rawHeaders, body }) => [method, path, ...rawHeaders, `${body}`])
    .join(' ')
  expect(way.asked.length).toBeGreaterThan(10)
  for (const key of [buyerKey.slice(2), buyerKey.slice(2).toUpperCase()]) {
    expect(heard).not.toContain(key)
    expect(answers).not.toContain(key)
  }
  expect(heard).toMatch(/x-wallet-signature/i)
})

test('opens nothing without a wallet, and says what to do', async () => {
  const client = await session({ HEIRLOOM_URL: server.url, DATA_DIR: folder })
  expect(await told(client, 'wallet_info')).toMatchObject({ session: null })
  const { code, sentence } = await refusal(client, 'memory_download', { tokenId: '1' })
  expect([code, sentence]).toEqual([
    'client/no-account',
    expect.stringContaining('HEIRLOOM_PRIVATE_KEY'),
  ])
})

test('serves two clients of one server at once', async () => {
  const clients = [await asAgent(), await asBuyer(), await asAgent('2025-11-25')]
  const minted = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: 4 }, () => told(client, 'memory_snapshot', memory)),
    ),
  )
  expect(new Set(minted.map(({ tokenId }) => tokenId)).size).toBe(12)
})

test('ends by itself when its input does, once it has answered', () => {
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`
  const options = { env: { PATH: process.env.PATH }, encoding: 'utf8', timeout: 60_000 } as const
  const program = [serverProgram, 'mcp']
  const { status, stdout } = spawnSync(process.execPath, program, { ...options, input })
  expect([status, JSON.parse(stdout)]).toEqual([0, { jsonrpc: '2.0', id: 1, result: {} }])
})

test('ends with its client, also in the middle of a call', async () => {
  const { client, transport } = await overStdio({ HEIRLOOM_URL: server.url, DATA_DIR: server.home })
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

test('tells of a server that is killed as something to try again', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mcp-killed-'))
  opened.push(() => rmSync(DATA_DIR, { recursive: true }))
  const doomed = await startServer({ DATA_DIR })
  const client = await session({ HEIRLOOM_URL: doomed.url, DATA_DIR })
  const { tokenId } = await told(client, 'memory_snapshot', memory)
  await doomed.end('SIGKILL')
  for (const [name, args] of [
    ['memory_info', { tokenId }],
    ['market_royalty', { tokenId, amount: '1' }],
  ] as const) {
    expect(await refusal(client, name, args)).toMatchObject({
      code: 'client/unreachable',
      retryable: true,
    })
  }
  await expect(client.listResources()).rejects.toThrow()
})

test.each([
  ['HEIRLOOM_URL', 'elsewhere', 'HEIRLOOM_URL must be an http or https address.'],
  ['HEIRLOOM_PRIVATE_KEY', '0x12', 'HEIRLOOM_PRIVATE_KEY must be 32 bytes in hexadecimal.'],
  ['HEIRLOOM_FOLDER', '/nowhere', 'HEIRLOOM_FOLDER must be a folder.'],
])('does not start with a wrong %s', async (name, value, sentence) => {
  const env = { PATH: process.env.PATH, [name]: value }
  const { status, stdout, stderr } = spawnSync(process.execPath, [serverProgram, 'mcp'], {
    env,
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([2, '', `${sentence}\n`])
})
