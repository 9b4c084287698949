import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentOf, type HostedServer, hostServer, rpc } from '../harness/process/server.ts'

const home = mkdtempSync(join(tmpdir(), 'stolen-key-'))
const keyOf = (name: string) => `${name}-`.repeat(8)
const stored = (name: string, scope: string, budget = {}) => ({
  name,
  scope,
  sha256: createHash('sha256').update(keyOf(name)).digest('hex'),
  ...budget,
})

let server: HostedServer
beforeAll(async () => {
  const path = join(home, 'keys.json')
  const keys = [
    stored('owner', 'admin'),
    stored('reader', 'read'),
    stored('writer', 'write', { perCall: '1', perDay: '1' }),
  ]
  writeFileSync(path, JSON.stringify({ keys }), { mode: 0o600 })
  server = await hostServer({ DATA_DIR: join(home, 'data'), API_KEYS_FILE: path })
  for (const [url, body] of [
    ['/api/memory/snapshot', memory],
    ['/api/marketplace/list', offer],
    ['/api/webhooks', { url: 'https://example.org/hook' }],
  ] as const) {
    const sent = { method: 'POST', path: url, body }
    expect((await send('owner', sent)).status).toBe(201)
  }
})
afterAll(async () => {
  await server.end()
  rmSync(home, { recursive: true })
})

const memory = { data: { of: 'the owner' }, metadata: { category: 'research' } }
const offer = {
  tokenId: '1',
  price: '5',
  rentalPricePerDay: '5',
  forkPrice: '5',
  forkRoyaltyBps: 0,
}

type Sent = {
  readonly method: string
  readonly path: string
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Sends a request with its path exactly as it is written. */
async function send(key: string, { method, path, body, headers = {} }: Sent) {
  const { hostname, port } = new URL(server.url)
  const sent = request({
    hostname,
    port,
    method,
    path,
    agent: false,
    headers: {
      authorization: `Bearer ${keyOf(key)}`,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': `${Buffer.byteLength(JSON.stringify(body))}`,
      }),
      ...headers,
    },
  })
  return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (reply) => {
      resolve({ status: reply.statusCode ?? 0, body: await text(reply) })
    })
    sent.end(body && JSON.stringify(body))
  })
}

/** Everything that a holder of an API key could change. */
async function state() {
  const { address } = agentOf(join(home, 'data'))
  const count = await rpc<string>(server.url, 'eth_getTransactionCount', [address, 'latest'])
  const { body } = await send('owner', { method: 'GET', path: '/api/webhooks' })
  const { items } = JSON.parse(body) as { readonly items: readonly { id: string; url: string }[] }
  return { count, hooks: items.map(({ id, url }) => ({ id, url })) }
}

const writes: readonly (readonly [path: string, body: object | undefined])[] = [
  ['/api/memory/snapshot', memory],
  ['/api/marketplace/list', { ...offer, price: '1' }],
  ['/api/marketplace/buy/1', undefined],
  ['/api/marketplace/rent/1', { durationDays: 1 }],
  ['/api/marketplace/fork/1', undefined],
  ['/api/marketplace/royalty/1', { amount: '1' }],
]
const hooks: typeof writes = [
  ['/api/webhooks', { url: 'https://example.net/thief' }],
  ['/api/webhooks/1', undefined],
]

/** Returns the ways to spell a path that a server might take for the same. */
const spellings = (path: string): readonly string[] => [
  ...[path, `${path}/`, `/${path}`, path.replace('/api', '/API'), path.replace('api', '%61pi')],
  ...[
    `/.${path}`,
    `/x/..${path}`,
    `${path}?scope=admin`,
    `${path};a=b`,
    `${path}%20`,
    `${path}%00`,
  ],
  path.replaceAll('/', '%2f').replace('%2f', '/'),
]
const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'GET']
const disguises: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'x-http-method-override': 'POST', 'x-original-url': '/api/webhooks' },
  { authorization: `Bearer ${keyOf('reader')}, Bearer owner`, 'x-heirloom-asker': '127.0.0.1' },
]

/** Sends requests in every spelling, by every method, disguised in turn; returns those that passed. */
async function attempt(key: string, all: typeof writes): Promise<readonly string[]> {
  const attempts = all.flatMap(([path, body]) =>
    spellings(path).flatMap((spelling) =>
      methods.map((method) => ({ path: spelling, method, body })),
    ),
  )
  const passed: string[] = []
  for (const [at, sent] of attempts.entries()) {
    const { status } = await send(key, { ...sent, headers: disguises[at % disguises.length] })
    // OPTIONS tells which methods a path has, and does nothing.
    const isDone = status === 201 || (status === 204 && sent.method !== 'OPTIONS')
    if (isDone) passed.push(`${sent.method} ${sent.path}`)
  }
  return passed
}

describe('whoever has stolen a key', () => {
  test('that reads writes nothing, and sees no webhook', async () => {
    const before = await state()
    expect(await attempt('reader', [...writes, ...hooks])).toEqual([])
    expect(await state()).toEqual(before)
    for (const path of spellings('/api/webhooks')) {
      expect((await send('reader', { method: 'GET', path })).body).not.toContain('example.org')
    }
  })

  test('that writes spends nothing beyond its budget, and touches no webhook', async () => {
    const before = await state()
    expect(await attempt('writer', [...writes, ...hooks])).toEqual([])
    expect(await state()).toEqual(before)
    for (const [path, body] of writes.filter(([it]) => !it.includes('/buy/'))) {
      const reply = await send('writer', { method: 'POST', path, body })
      expect([path, JSON.parse(reply.body)]).toMatchObject([path, { code: 'api-key/call-limit' }])
    }
  })

  test('gets no result of another key by its idempotency key', async () => {
    const headers = { 'idempotency-key': 'the-owners-own' }
    const sent = { method: 'POST', path: '/api/memory/snapshot', body: memory, headers }
    const own = await send('owner', sent)
    expect(own.status).toBe(201)
    expect(await send('owner', sent)).toEqual(own)
    const stolen = await send('writer', sent)
    expect(JSON.parse(stolen.body)).toMatchObject({ code: 'api-key/call-limit' })
    expect(stolen.body).not.toContain(JSON.parse(own.body).txHash)
    expect((await send('reader', sent)).status).toBe(403)
  })

  test('sends nothing over MCP that the key may not', async () => {
    const before = await state()
    const accept = 'application/json, text/event-stream'
    const names = ['memory_snapshot', 'market_buy', 'market_list', 'market_rent', 'market_fork']
    for (const name of names) {
      const params = { name, arguments: { tokenId: '1', ...memory } }
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      await send('writer', { method: 'POST', path: '/mcp?tools=all', body, headers: { accept } })
    }
    expect(await state()).toEqual(before)
  })
})
