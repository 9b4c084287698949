import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peakOf } from '../harness/process/memory-limit.ts'
import {
  agentOf,
  post,
  proofHeaders,
  type RunningServer,
  startServer,
} from '../harness/process/server.ts'

const mebibyte = 2 ** 20
const budget = 64 * mebibyte
const home = mkdtempSync(join(tmpdir(), 'lists-'))
const environment = { DATA_DIR: home, DOWNLOAD_BYTES: `${budget}` }
const proxied = { ...environment, TRUST_PROXY: 'loopback', OPEN_WRITES: 'true' }

let server: RunningServer
beforeAll(async () => {
  server = await startServer(environment)
  const notes = Array.from({ length: 150_000 }, () => randomBytes(320).toString('base64'))
  // A named memory is cut by content, so that its list is ten times as long.
  const body = { data: { notes }, metadata: { category: 'research' }, name: 'ada' }
  expect((await post(server.url, '/api/memory/snapshot', JSON.stringify(body))).status).toBe(201)
  await server.end('SIGTERM')
  server = await startServer(proxied)
})
afterAll(async () => {
  await server.end('SIGTERM')
  rmSync(home, { recursive: true })
})

test('32 searches of one long memory at once stay within the budget of downloads', async () => {
  const headers = await proofHeaders(agentOf(home), '1')
  const search = async (at: number) => {
    const address = { 'x-forwarded-for': `198.51.100.${at % 4}` }
    const path = `${server.url}/api/memory/1/search?q=nowhere`
    const response = await fetch(path, { headers: { ...headers, ...address } })
    await response.arrayBuffer()
    return response.status
  }
  expect(await search(0)).toBe(200)
  const before = peakOf(server.process.pid)
  const statuses = await Promise.all(Array.from({ length: 32 }, (_, at) => search(at)))
  expect(new Set(statuses)).toEqual(new Set([200, 429, 503]))
  // Half of the heap may be garbage.
  expect(peakOf(server.process.pid) - before).toBeLessThan(2 * budget)
  expect(await search(0)).toBe(200)
})
