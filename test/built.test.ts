import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overHttp, overStdio, told } from './worlds/mcp.ts'
import { agentOf, post, proofHeaders, type Snapshot, startServer } from './worlds/server.ts'

const packageFolder = join(import.meta.dirname, '../packages/http')

// Inside the package, whose dependencies the program loads.
const built = join(packageFolder, `node_modules/.cache/built-${process.pid}`)
const folder = mkdtempSync(join(tmpdir(), 'built-'))

const build = () =>
  spawnSync(process.execPath, [join(packageFolder, 'build.ts'), built], { encoding: 'utf8' })

beforeAll(() => {
  expect(build()).toMatchObject({ status: 0, stderr: '' })
})
afterAll(() => {
  for (const path of [built, folder]) rmSync(path, { recursive: true, force: true })
})

test('the built program serves a memory, small or large, and its documentation', async () => {
  const server = await startServer({ DATA_DIR: folder }, join(built, 'cli.js'))
  for (const length of [100, 3_000_000]) {
    const body = `{"data":{"text":"${'m'.repeat(length)}"},"metadata":{"category":"research"}}`
    const snapshot = await post(server.url, '/api/memory/snapshot', body)
    const { tokenId } = (await snapshot.json()) as Snapshot
    const headers = await proofHeaders(agentOf(folder), tokenId)
    const download = await fetch(`${server.url}/api/memory/${tokenId}`, { headers })
    expect(await download.text()).toBe(body)
  }
  for (const path of ['/docs', '/docs/static/index.html', '/openapi.json', '/metrics']) {
    expect((await fetch(`${server.url}${path}`)).status, path).toBe(200)
  }
  expect(await server.end('SIGTERM')).toBe(0)
})

test('the built program speaks MCP, as a server and as a command', async () => {
  const server = await startServer({ DATA_DIR: folder }, join(built, 'cli.js'))
  const environment = { HEIRLOOM_URL: server.url, DATA_DIR: folder }
  const { client } = await overStdio(environment, '2026-07-28', join(built, 'cli.js'))
  const memory = { data: { a: 1 }, metadata: { category: 'research' } }
  const { tokenId } = await told(client, 'memory_snapshot', memory)
  expect(await told(client, 'memory_download', { tokenId })).toMatchObject(memory)
  const reader = await overHttp(server.url)
  expect(await told(reader, 'memory_info', { tokenId })).toMatchObject({ tokenId })
  await Promise.all([client.close(), reader.close()])
  expect(await server.end('SIGTERM')).toBe(0)
})

test('a build under a running server leaves its files in place, and none that is left over', async () => {
  const files = readdirSync(built)
  const server = await startServer({ DATA_DIR: folder }, join(built, 'cli.js'))
  writeFileSync(join(built, 'left-over.js'), '')
  expect(build()).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(built)).toEqual(files)
  expect((await fetch(`${server.url}/docs`)).status).toBe(200)
  expect(await server.end('SIGTERM')).toBe(0)
})
