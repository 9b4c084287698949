import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overHttp, startStdio, toolResult } from '../harness/mcp/mcp.ts'
import { builtFolder } from '../harness/packages/built-folder.ts'
import {
  agentOf,
  post,
  proofHeaders,
  type Snapshot,
  startServer,
} from '../harness/process/server.ts'
import { tier } from '../tier.ts'

const { dist, program, copy, build, remove } = builtFolder()
const folder = mkdtempSync(join(tmpdir(), 'built-'))

beforeAll(tier === 'long' ? build : copy)
afterAll(() => {
  remove()
  rmSync(folder, { recursive: true, force: true })
})

test('the built program serves small and large memories, their parts, and its documentation', async () => {
  const server = await startServer({ DATA_DIR: folder }, program)
  for (const length of [100, 3_000_000]) {
    const body = `{"data":{"text":"${'m'.repeat(length)}"},"metadata":{"category":"research"}}`
    const snapshot = await post(server.url, '/api/memory/snapshot', body)
    const { tokenId } = (await snapshot.json()) as Snapshot
    const headers = await proofHeaders(agentOf(folder), tokenId)
    const download = await fetch(`${server.url}/api/memory/${tokenId}`, { headers })
    expect(await download.text()).toBe(body)
    const part = await fetch(`${server.url}/api/memory/${tokenId}/part?path=$.data.*`, { headers })
    expect(await part.json()).toMatchObject({ matches: [{ pointer: '/data/text' }] })
  }
  for (const path of ['/docs', '/docs/guides/sell', '/openapi.json', '/metrics']) {
    expect((await fetch(`${server.url}${path}`)).status, path).toBe(200)
  }
  expect(await server.end('SIGTERM')).toBe(0)
})

test('the built program speaks MCP, as a server and as a command', async () => {
  const server = await startServer({ DATA_DIR: folder }, program)
  const environment = { HEIRLOOM_URL: server.url, DATA_DIR: folder }
  const { client } = await startStdio(environment, '2026-07-28', { program })
  const memory = { data: { a: 1 }, metadata: { category: 'research' } }
  const { tokenId } = await toolResult(client, 'memory_snapshot', memory)
  expect(await toolResult(client, 'memory_download', { tokenId })).toMatchObject(memory)
  const reader = await overHttp(server.url)
  expect(await toolResult(reader, 'memory_info', { tokenId })).toMatchObject({ tokenId })
  await Promise.all([client.close(), reader.close()])
  expect(await server.end('SIGTERM')).toBe(0)
})

test('a build while a server runs keeps its files and removes stale ones', async () => {
  const files = readdirSync(dist)
  const server = await startServer({ DATA_DIR: folder }, program)
  writeFileSync(join(dist, 'stale.js'), '')
  build()
  expect(readdirSync(dist)).toEqual(files)
  expect((await fetch(`${server.url}/docs`)).status).toBe(200)
  expect(await server.end('SIGTERM')).toBe(0)
})
