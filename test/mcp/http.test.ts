import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { toolsFor } from '../../packages/http/src/mcp/tools/tools.ts'
import { arbitraryArguments } from '../../packages/http/test/arbitrary-arguments.ts'
import { eras, overHttp, toolResult } from '../harness/mcp/mcp.ts'
import { post, rpc, startServer } from '../harness/process/server.ts'
import { sharedServer } from '../harness/process/shared-server.ts'

const server = sharedServer()
beforeAll(async () => {
  const memory = '{"data":{"a":1},"metadata":{"category":"research"}}'
  for (const tokenId of ['1', '2', '3']) {
    expect((await post(server.url, '/api/memory/snapshot', memory)).status).toBe(201)
    const terms = { price: '7', rentalPricePerDay: '2', forkPrice: '5', forkRoyaltyBps: 100 }
    const listed = JSON.stringify({ tokenId, ...terms })
    expect((await post(server.url, '/api/marketplace/list', listed)).status).toBe(201)
  }
})

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.()
})

test.each(eras)('no call in %s changes the chain', async (era) => {
  const client = await overHttp(server.url, era)
  cleanups.push(() => client.close())
  const head = () => rpc(server.url, 'eth_getBlockByNumber', ['latest', false])
  const before = await head()
  let succeeded = 0
  for (const { name, input } of toolsFor('anyone')) {
    await fc.assert(
      fc.asyncProperty(arbitraryArguments(input), async (args) => {
        const { isError } = await client.callTool({ name, arguments: args })
        if (!isError) succeeded += 1
      }),
      { numRuns: 10 },
    )
    expect(await head(), name).toEqual(before)
  }
  expect(succeeded).toBeGreaterThan(toolsFor('anyone').length)
})

// A loader hook that fails when a process loads the SDK.
const sdkForbidden = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  if (name.startsWith('@modelcontextprotocol')) throw new Error('The SDK is loaded.')
  return next(name, context)
} })`)}`

test('a server loads the SDK only for the first MCP request', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mcp-idle-'))
  // From the sources: in the packed program the SDK has another name.
  const sources = join(import.meta.dirname, '../../packages/http/src/cli.ts')
  const environment = { DATA_DIR, NODE_OPTIONS: `--import=${sdkForbidden}` }
  const idle = await startServer(environment, sources)
  cleanups.push(async () => {
    expect(await idle.end('SIGTERM')).toBe(0)
    rmSync(DATA_DIR, { recursive: true })
  })
  await expect.poll(async () => (await fetch(`${idle.url}/readyz`)).status).toBe(200)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect((await post(idle.url, '/mcp', body)).status).toBe(500)
})

test('clients work again after a killed server is restarted', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mcp-back-'))
  const first = await startServer({ DATA_DIR })
  const PORT = new URL(first.url).port
  const clients = await Promise.all(eras.map((era) => overHttp(first.url, era)))
  await first.end('SIGKILL')
  for (const client of clients) {
    await expect(client.callTool({ name: 'deployment_info', arguments: {} })).rejects.toThrow()
  }
  const second = await startServer({ DATA_DIR, PORT })
  cleanups.push(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await second.end('SIGTERM')
    rmSync(DATA_DIR, { recursive: true })
  })
  for (const client of clients) {
    expect(await toolResult(client, 'deployment_info')).toMatchObject({ chainId: 31337 })
  }
})
