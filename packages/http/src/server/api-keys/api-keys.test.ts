import type { Ledger } from '@heirloom/core'
import { wei } from '@heirloom/core'
import type { RouteOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { openWebhooks } from '../../../test/open-webhooks.ts'
import { memory, openWorld, post } from '../../../test/server-harness.ts'
import { metrics } from '../../observability/metrics.ts'
import { readPage } from '../read-page.ts'
import { allows, scopes } from './api-key.ts'
import { keyDigest, keyRing } from './key-ring.ts'
import { routeScopes, scopeOf } from './route-scopes.ts'

const textOf = (name: string) => `the-key-that-is-called-${name}`
const kept = (name: string, scope: (typeof scopes)[number], budget = {}) => ({
  ...{ name, scope, sha256: keyDigest(textOf(name)) },
  ...budget,
})
const bearer = (name: string) => ({ authorization: `Bearer ${textOf(name)}` })
const ring = () => keyRing({ plain: [], kept: scopes.map((scope) => kept(scope, scope)) })

/** Opens a server with every route, and returns the routes with it. */
async function everything() {
  const { webhooks } = await openWebhooks()
  const file = { type: 'text/html', etag: '"a"', bodies: bodiesOf('a') }
  const page = readPage() ?? { document: file, assets: new Map() }
  const world = openWorld({
    ...{ keys: ring(), webhooks, page, metrics: metrics() },
    rpc: async () => ({ answer: { jsonrpc: '2.0', id: 1, result: '0x1' } }),
  })
  await world.server.ready()
  return world
}

const bodiesOf = (text: string) => {
  const bytes = Buffer.from(text)
  return { identity: bytes, br: bytes, gzip: bytes }
}

describe('every route', () => {
  test('states its scope, and no scope is of a route that is not there', async () => {
    const world = await everything()
    const routes = new Set<string>()
    // Printed as a tree, whose lines hold each part of a path and the methods behind it.
    for (const [name] of Object.entries(routeScopes)) {
      const [method = '', url = ''] = name.split(' ')
      if (world.server.hasRoute({ method: method as RouteOptions['method'] as 'GET', url })) {
        routes.add(name)
      }
    }
    expect([...routes].toSorted()).toEqual(Object.keys(routeScopes).toSorted())
    expect(countIn(world.server.printRoutes({ commonPrefix: false }))).toEqual(
      Object.keys(routeScopes).length,
    )
  })

  // A stream of events has no end that could be waited for.
  const answered = Object.entries(routeScopes).filter(([name]) => name !== 'GET /api/events')

  test.each(answered)('%s is for %s', async (name, needed) => {
    const [method = '', pattern = ''] = name.split(' ')
    const url = pattern.replace(':tokenId', '1').replace(':address', `0x${'ab'.repeat(20)}`)
    const world = await everything()
    const ask = (headers: Record<string, string>) => refusalOf(world, { method, url, headers })
    const refusal = await ask({})
    if (needed === 'anyone') expect(refusal).not.toBe('request/not-authorized')
    else expect(refusal).toBe('request/not-authorized')
    for (const scope of scopes) {
      const code = await ask(bearer(scope))
      const may = needed === 'anyone' || allows({ scope }, needed)
      expect([scope, code === 'api-key/out-of-scope']).toEqual([scope, !may])
      expect(code).not.toBe('request/not-authorized')
    }
  })

  test('that nobody thought of is for those who may do everything', () => {
    expect(scopeOf('PUT', '/api/new')).toBe('admin')
    expect(scopeOf('HEAD', '/metrics')).toBe('read')
  })
})

type Asked = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the code that a request is refused with. */
async function refusalOf(
  { server }: ReturnType<typeof openWorld>,
  { method, url, headers }: Asked,
): Promise<string | undefined> {
  const sends = method === 'POST'
  const reply = await server.inject({
    ...{ method: method as 'GET', url },
    headers: { ...(sends && { 'content-type': 'application/json' }), ...headers },
    ...(sends && { payload: '{}' }),
  })
  const isProblem = reply.headers['content-type'] === 'application/problem+json'
  return isProblem ? reply.json().code : undefined
}

/** Returns how many routes a tree of them shows, without HEAD. */
function countIn(tree: string): number {
  const methods = [...tree.matchAll(/\(([A-Z, ]+)\)/g)].flatMap(([, all = '']) => all.split(', '))
  return methods.filter((method) => method !== 'HEAD').length
}

const write = (world: ReturnType<typeof openWorld>, name: string, headers = {}) =>
  post(world, '/api/memory/snapshot', memory, { ...bearer(name), ...headers })

describe('an API key', () => {
  test('acts in its name, with its budget', async () => {
    const asked: unknown[] = []
    const budget = { perCall: wei(5n), perDay: wei(7n) }
    const keys = keyRing({ plain: [], kept: [kept('shop', 'write', budget)] })
    const noting = (ledger: Ledger): Ledger => ({
      ...ledger,
      mint: (token) => {
        asked.push(token.budget)
        return ledger.mint(token)
      },
    })
    const world = openWorld({ keys, ledgerThrough: noting })
    expect((await write(world, 'shop')).statusCode).toBe(201)
    expect(asked).toEqual([{ name: 'shop', scope: 'write', ...budget }])
    const told = await world.server.inject({ url: '/api/wallet', headers: bearer('shop') })
    expect(told.json().apiKey).toEqual({
      ...{ name: 'shop', scope: 'write', spentToday: '0' },
      ...{ maxSpendPerCall: '5', maxSpendPerDay: '7' },
    })
  })

  test('is named in the log and in the metrics, and is in neither itself', async () => {
    const lines: string[] = []
    const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
    const world = openWorld({ keys: ring(), metrics: metrics(), logger: logger as never })
    await write(world, 'write')
    await world.server.inject({ url: '/livez', headers: { authorization: 'Bearer nobodys-key' } })
    const text = (await world.server.inject({ url: '/metrics', headers: bearer('read') })).body
    expect(text).toContain('heirloom_api_key_requests_total{key="write"} 1\n')
    const keys = lines.map((line) => JSON.parse(line).key)
    expect(keys).toEqual(['write', undefined, 'read'])
    expect(`${lines.join('')}${text}`).not.toContain('the-key-that')
    expect(`${lines.join('')}${text}`).not.toContain(keyDigest(textOf('write')))
  })

  test('shares no idempotency key with another, nor learns of its results', async () => {
    const keys = keyRing({ plain: [], kept: [kept('one', 'write'), kept('two', 'write')] })
    const world = openWorld({ keys })
    const idempotent = { 'idempotency-key': 'the-same' }
    const first = (await write(world, 'one', idempotent)).json()
    const second = (await write(world, 'two', idempotent)).json()
    expect([first.tokenId, second.tokenId]).toEqual(['1', '2'])
    expect((await write(world, 'one', idempotent)).json()).toEqual(first)
    const other = { ...memory, data: { mood: 'other' } }
    const reused = await post(world, '/api/memory/snapshot', other, {
      ...bearer('two'),
      ...idempotent,
    })
    expect(reused.statusCode).toBe(422)
  })

  test('of a list of keys may do everything, beside those of a file', async () => {
    const keys = keyRing({ plain: ['a-plain-key-of-old'], kept: [kept('shop', 'read')] })
    const world = openWorld({ keys })
    const plain = { authorization: 'Bearer a-plain-key-of-old' }
    expect((await post(world, '/api/memory/snapshot', memory, plain)).statusCode).toBe(201)
    expect((await write(world, 'shop')).json()).toMatchObject({
      ...{ status: 403, code: 'api-key/out-of-scope' },
      facts: { name: 'shop', scope: 'read', needed: 'write' },
    })
  })

  test('that was the last of a file leaves nothing open', async () => {
    const keys = keyRing({ plain: [], kept: [kept('shop', 'write')] })
    const world = openWorld({ keys })
    expect((await write(world, 'shop')).statusCode).toBe(201)
    keys.replace([])
    expect((await write(world, 'shop')).statusCode).toBe(401)
    expect((await post(world, '/api/memory/snapshot', memory)).statusCode).toBe(401)
  })
})
