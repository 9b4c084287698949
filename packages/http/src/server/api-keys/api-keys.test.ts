import { digest, instant, type Ledger, wei } from '@heirloom/core'
import type { RouteOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { openWebhooks } from '../../../test/open-webhooks.ts'
import { memory, openHarness, post } from '../../../test/server-harness.ts'
import { metrics } from '../../observability/metrics.ts'
import type { app } from '../app.ts'
import { readPage } from '../read-page.ts'
import { permissionFor, routePermissions } from './authorize.ts'
import { allows, keyDigest, keyRing, scopes } from './key-ring.ts'

const textOf = (name: string) => `the-key-that-is-called-${name}`
const storedKey = (name: string, scope: (typeof scopes)[number], budget = {}) => ({
  name,
  scope,
  sha256: keyDigest(textOf(name)),
  ...budget,
})
const bearer = (name: string) => ({ authorization: `Bearer ${textOf(name)}` })
const ring = () => keyRing({ plain: [], stored: scopes.map((scope) => storedKey(scope, scope)) })

/** Opens a server with every route. */
async function openEveryRoute() {
  const { webhooks, store } = await openWebhooks()
  const file = { type: 'text/html', etag: '"a"', bodies: bodiesOf('a') }
  const page = readPage() ?? { document: file, assets: new Map() }
  const harness = openHarness({
    keys: ring(),
    webhooks,
    page,
    metrics: metrics(),
    seals: { store },
    faucet,
    relay,
    paidActs,
    readHeir,
    ens,
    erasing,
    images,
    rpc: async () => ({ answer: { jsonrpc: '2.0', id: 1, result: '0x1' } }),
  })
  await harness.server.ready()
  return harness
}

const images: app.Parts['images'] = {
  etagOf: () => '"image"',
  draw: async () => Buffer.from('image'),
}

const relay: app.Parts['relay'] = async () => ({
  act: 'mint',
  txHash: '0x',
  tokenIds: [],
  expiresAt: undefined,
})

const paidActs: app.Parts['paidActs'] = {
  dollar: { chainId: 1, address: '0x', name: 'Dollar', version: '1' },
  prove: async () => undefined,
  answer: async () => ({ kind: 'done' }),
  quote: async () => ({ kind: 'done' }),
  clock: { now: () => instant(0) },
  leastOrder: 1n,
}

const erasing: app.Parts['erasing'] = async () => ({
  digest: digest(`0x${'ab'.repeat(32)}`),
  erasedAt: instant(0),
  isRemoved: true,
})

const readHeir: app.Parts['readHeir'] = async () => ({ plan: undefined, now: instant(0) })

const ens: app.Parts['ens'] = {
  nameOf: async () => undefined,
  find: async () => undefined,
}

const faucet = { amount: 1n, give: async () => ({ txHash: '0x' }) as const }

const bodiesOf = (text: string) => {
  const bytes = Buffer.from(text)
  return { identity: bytes, br: bytes, gzip: bytes }
}

describe('every route', () => {
  test('has a scope, and every scope has a route', async () => {
    const harness = await openEveryRoute()
    const routes = new Set<string>()
    // `printRoutes` prints a tree, whose lines have the part of a path and its methods.
    for (const [name] of Object.entries(routePermissions)) {
      const [method = '', url = ''] = name.split(' ')
      if (harness.server.hasRoute({ method: method as RouteOptions['method'] as 'GET', url })) {
        routes.add(name)
      }
    }
    expect([...routes].toSorted()).toEqual(Object.keys(routePermissions).toSorted())
    expect(countRoutes(harness.server.printRoutes({ commonPrefix: false }))).toEqual(
      Object.keys(routePermissions).length,
    )
  })

  // An event stream has no end to wait for.
  const answered = Object.entries(routePermissions).filter(([name]) => name !== 'GET /api/events')

  test.each(answered)('%s is for %s', async (name, needed) => {
    const [method = '', pattern = ''] = name.split(' ')
    const url = pattern.replace(':tokenId', '1').replace(':address', `0x${'ab'.repeat(20)}`)
    const harness = await openEveryRoute()
    const codeFor = (headers: Record<string, string>) =>
      refusalOf(harness, { method, url, headers })
    const refusal = await codeFor({})
    if (needed === 'anyone') expect(refusal).not.toBe('request/not-authorized')
    else expect(refusal).toBe('request/not-authorized')
    for (const scope of scopes) {
      const code = await codeFor(bearer(scope))
      const may = needed === 'anyone' || allows({ scope }, needed)
      expect([scope, code === 'api-key/out-of-scope']).toEqual([scope, !may])
      expect(code).not.toBe('request/not-authorized')
    }
  })

  test('that is not listed requires admin', () => {
    expect(permissionFor('PUT', '/api/new')).toBe('admin')
    expect(permissionFor('HEAD', '/metrics')).toBe('read')
  })
})

type Request = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the failure code of a request. */
async function refusalOf(
  { server }: ReturnType<typeof openHarness>,
  { method, url, headers }: Request,
): Promise<string | undefined> {
  const sends = method === 'POST'
  const reply = await server.inject({
    method: method as 'GET',
    url,
    headers: { ...(sends && { 'content-type': 'application/json' }), ...headers },
    ...(sends && { payload: '{}' }),
  })
  const isProblem = reply.headers['content-type'] === 'application/problem+json'
  return isProblem ? reply.json().code : undefined
}

/** Counts the routes in a printed tree, without HEAD. */
function countRoutes(tree: string): number {
  const methods = [...tree.matchAll(/\(([A-Z, ]+)\)/g)].flatMap(([, all = '']) => all.split(', '))
  return methods.filter((method) => method !== 'HEAD').length
}

const write = (harness: ReturnType<typeof openHarness>, name: string, headers = {}) =>
  post(harness, '/api/memory/snapshot', memory, { ...bearer(name), ...headers })

describe('an API key', () => {
  test('acts in its name, with its budget', async () => {
    const budgets: unknown[] = []
    const budget = { perCall: wei(5n), perDay: wei(7n) }
    const keys = keyRing({ plain: [], stored: [storedKey('shop', 'write', budget)] })
    const recordingBudgets = (ledger: Ledger): Ledger => ({
      ...ledger,
      mint: (token) => {
        budgets.push(token.budget)
        return ledger.mint(token)
      },
    })
    const harness = openHarness({ keys, ledgerThrough: recordingBudgets })
    expect((await write(harness, 'shop')).statusCode).toBe(201)
    expect(budgets).toEqual([{ name: 'shop', scope: 'write', ...budget }])
    const reply = await harness.server.inject({ url: '/api/wallet', headers: bearer('shop') })
    expect(reply.json().apiKey).toEqual({
      name: 'shop',
      scope: 'write',
      spentToday: '0',
      maxSpendPerCall: '5',
      maxSpendPerDay: '7',
    })
  })

  test('is named in the log and in the metrics, which never contain the key itself', async () => {
    const lines: string[] = []
    const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
    const harness = openHarness({ keys: ring(), metrics: metrics(), logger: logger as never })
    await write(harness, 'write')
    await harness.server.inject({ url: '/livez', headers: { authorization: 'Bearer nobodys-key' } })
    const text = (await harness.server.inject({ url: '/metrics', headers: bearer('read') })).body
    expect(text).toContain('heirloom_api_key_requests_total{key="write"} 1\n')
    const keys = lines.map((line) => JSON.parse(line).key)
    expect(keys).toEqual(['write', undefined, 'read'])
    expect(`${lines.join('')}${text}`).not.toContain('the-key-that')
    expect(`${lines.join('')}${text}`).not.toContain(keyDigest(textOf('write')))
  })

  test('shares no idempotency key with another one', async () => {
    const keys = keyRing({
      plain: [],
      stored: [storedKey('one', 'write'), storedKey('two', 'write')],
    })
    const harness = openHarness({ keys })
    const idempotent = { 'idempotency-key': 'the-same' }
    const first = (await write(harness, 'one', idempotent)).json()
    const second = (await write(harness, 'two', idempotent)).json()
    expect([first.tokenId, second.tokenId]).toEqual(['1', '2'])
    expect((await write(harness, 'one', idempotent)).json()).toEqual(first)
    const other = { ...memory, data: { mood: 'other' } }
    const reused = await post(harness, '/api/memory/snapshot', other, {
      ...bearer('two'),
      ...idempotent,
    })
    expect(reused.statusCode).toBe(422)
  })

  test('of API_KEYS may do everything, also beside a key file', async () => {
    const keys = keyRing({ plain: ['a-plain-key-of-old'], stored: [storedKey('shop', 'read')] })
    const harness = openHarness({ keys })
    const plain = { authorization: 'Bearer a-plain-key-of-old' }
    expect((await post(harness, '/api/memory/snapshot', memory, plain)).statusCode).toBe(201)
    expect((await write(harness, 'shop')).json()).toMatchObject({
      status: 403,
      code: 'api-key/out-of-scope',
      facts: { name: 'shop', scope: 'read', needed: 'write' },
    })
  })

  test('that is removed as the last of a file leaves no route open', async () => {
    const keys = keyRing({ plain: [], stored: [storedKey('shop', 'write')] })
    const harness = openHarness({ keys })
    expect((await write(harness, 'shop')).statusCode).toBe(201)
    keys.replace([])
    expect((await write(harness, 'shop')).statusCode).toBe(401)
    expect((await post(harness, '/api/memory/snapshot', memory)).statusCode).toBe(401)
  })
})
