import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import {
  listToken,
  memory,
  mintToken,
  openHarness,
  post,
  type ServerHarness,
} from '../../../test/server-harness.ts'
import { requireOwnHost } from './require-own-host.ts'

const own = 'http://localhost:80'
const writes = [
  ['/api/memory/snapshot', memory],
  ['/api/marketplace/list', {}],
  ['/api/marketplace/buy/1', undefined],
  ['/api/marketplace/rent/1', {}],
  ['/api/marketplace/fork/1', undefined],
  ['/api/marketplace/royalty/1', {}],
  ['/rpc', {}],
  ['/mcp', {}],
] as const

async function expectRefusedEverywhere(
  harness: ServerHarness,
  headers: Record<string, string>,
  code: string,
) {
  const before = await harness.state()
  for (const [url, body] of writes) {
    const reply = await post(harness, url, body, { host: 'localhost:80', ...headers })
    expect([url, reply.statusCode, reply.json().code]).toEqual([url, 403, code])
  }
  expect(await harness.state()).toEqual(before)
}

const rpc = async () => ({ answer: { jsonrpc: '2.0', id: 1, result: '0x1' } })
const withRpc = openHarness({ rpc })

describe('Origin and Sec-Fetch-Site', () => {
  test.each([
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:8080' },
    { origin: 'http://localhost' },
    { origin: 'http://localhost:80.evil.example' },
    { origin: 'http://evil.example/http://localhost:80' },
    { origin: 'file://localhost:80' },
    { origin: 'null' },
    { origin: '' },
    { origin: own, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('%j is refused on every write', async (headers) => {
    await expectRefusedEverywhere(withRpc, headers, 'request/foreign-origin')
  })

  test.each([
    {},
    { origin: own },
    { origin: 'https://localhost:80' },
    { origin: own, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('%j may write', async (headers) => {
    const harness = openHarness()
    const id = await listToken(harness, { price: '1' })
    const reply = await post(harness, `/api/marketplace/buy/${id}`, undefined, { ...headers })
    expect(reply.statusCode).toBe(201)
  })

  test('of another site may read, without CORS headers', async () => {
    const harness = openHarness()
    const id = await mintToken(harness)
    const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }
    const reply = await harness.server.inject({ url: `/api/memory/${id}/info`, headers })
    expect(reply.statusCode).toBe(200)
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    )
  })

  test('of a preflight get no permission', async () => {
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' }
    const url = '/api/marketplace/buy/1'
    const reply = await openHarness().server.inject({ method: 'OPTIONS', url, headers })
    expect([reply.statusCode, reply.headers.allow]).toEqual([204, 'POST, OPTIONS'])
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('of a browser wallet may call the chain and nothing else', async () => {
    const harness = openHarness({ rpc })
    const headers = { origin: 'chrome-extension://abc', 'sec-fetch-site': 'cross-site' }
    expect((await post(harness, '/rpc', {}, headers)).statusCode).toBe(200)
    const reply = await post(harness, '/api/marketplace/buy/1', undefined, headers)
    expect(reply.json().code).toBe('request/foreign-origin')
  })

  test('of an extension that is not configured are refused', async () => {
    const extensions = ['chrome-extension://wallet']
    const config = { rpc: { extensions } }
    const harness = openHarness({ rpc, config })
    const from = (origin: string) =>
      post(harness, '/rpc', {}, { origin, 'sec-fetch-site': 'cross-site' })
    expect((await from('chrome-extension://wallet')).statusCode).toBe(200)
    for (const origin of ['chrome-extension://other', 'moz-extension://wallet']) {
      expect((await from(origin)).json().code).toBe('request/foreign-origin')
    }
  })
})

describe('Host', () => {
  test.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example@localhost',
    '10.0.0.1',
    '0.0.0.0',
    '[::2]',
    '2130706433',
    '127.1',
  ])('"%s" is refused on every route', async (host) => {
    const harness = withRpc
    await expectRefusedEverywhere(harness, { host }, 'request/foreign-host')
    for (const url of [
      '/',
      '/docs',
      '/openapi.json',
      '/livez',
      '/readyz',
      '/api/deployment',
      '/x',
    ]) {
      const reply = await harness.server.inject({ url, headers: { host } })
      expect([url, reply.statusCode, reply.json().facts]).toEqual([url, 403, { host }])
    }
  })

  test.each(['localhost', 'LOCALHOST:80', '127.0.0.1:80', '127.9.9.9', '[::1]:80'])(
    '%s is our own',
    async (host) => {
      const reply = await openHarness().server.inject({ url: '/livez', headers: { host } })
      expect(reply.statusCode).toBe(200)
    },
  )

  test.each([
    ['0.0.0.0', [], 'box.example:3000', false],
    ['0.0.0.0', [], 'localhost:8080', true],
    ['0.0.0.0', [], '0.0.0.0:3000', true],
    ['0.0.0.0', [], '192.168.1.7:3000', true],
    ['0.0.0.0', [], '192.168.1.8:3000', false],
    ['box.example', [], 'box.example', true],
    ['0.0.0.0', ['a key of some length'], 'box.example:3000', true],
    ['127.0.0.1', ['a key of some length'], 'box.example:3000', false],
    ['127.0.0.1', [], '127.0.0.1:3000', true],
    ['127.0.0.1', [], '127.0.0.1:3001', false],
    ['127.0.0.1', [], '127.0.0.1', false],
    ['127.0.0.1', [], '', false],
    ['127.0.0.1', [], undefined, false],
  ] as const)('on %s with keys %j: %s', (host, keys, requested, accepted) => {
    const socket = { localAddress: '::ffff:192.168.1.7', localPort: 3000 }
    const own = requireOwnHost({ host }, { isRequired: keys.length > 0 })
    const check = () => own({ raw: rawOf(requested), socket } as never)
    if (accepted) expect(check).not.toThrow()
    else expect(check).toThrow('does not answer to the given Host')
  })

  test('is checked in every request of a connection', () => {
    const own = requireOwnHost({ host: '127.0.0.1' }, { isRequired: false })
    const socket = { localAddress: '127.0.0.1', localPort: 3000 }
    const check = (host: string) => () => own({ raw: rawOf(host), socket } as never)
    for (let time = 0; time < 2; time++) {
      expect(check('127.0.0.1:3000')).not.toThrow()
      expect(check('box.example:3000')).toThrow('does not answer to the given Host')
    }
  })

  const rawOf = (host: string | undefined) => ({ url: '/', headers: { host }, rawHeaders: [] })

  const opened: ServerHarness[] = []
  afterEach(async () => {
    for (const harness of opened.splice(0)) await harness.server.close()
  })

  test('of another port is refused on a real socket', async () => {
    const harness = openHarness()
    opened.push(harness)
    const url = await harness.server.listen({ host: '127.0.0.1', port: 0 })
    expect(await statusOf(`${url}/livez`)).toBe(200)
    expect(await statusOf(`${url}/livez`, { host: '127.0.0.1:1' })).toBe(403)
  })

  test.each([
    ['two lines', '/livez', ['OURS', 'evil.example'], 400],
    ['two lines, ours last', '/livez', ['evil.example', 'OURS'], 400],
    ['two lines of ours', '/livez', ['OURS', 'OURS'], 400],
    ['a foreign target', 'http://evil.example/livez', ['OURS'], 403],
    ['a foreign target on our port', 'http://evil.example:PORT/livez', ['OURS'], 403],
    ['a target with a name in front', 'http://OURS@evil.example/livez', ['OURS'], 403],
    ['a target that is ours', 'http://OURS/livez', ['OURS'], 200],
    ['a target that is ours, whatever the header says', 'HTTP://OURS/livez', ['evil.example'], 200],
  ])('in %s is handled as in RFC 9112', async (_, target, hosts, status) => {
    const harness = openHarness()
    opened.push(harness)
    const { host, port } = new URL(await harness.server.listen({ host: '127.0.0.1', port: 0 }))
    const ours = (text: string) => text.replace('OURS', host).replace('PORT', port)
    const lines = hosts.map((it) => `Host: ${ours(it)}`)
    expect(await answerTo(host, [`GET ${ours(target)} HTTP/1.1`, ...lines])).toBe(status)
  })

  test('twice is refused behind API keys too', async () => {
    const harness = openHarness({ config: { host: '0.0.0.0', apiKeys: ['a key of some length'] } })
    opened.push(harness)
    const { port } = new URL(await harness.server.listen({ host: '127.0.0.1', port: 0 }))
    const lines = ['GET /livez HTTP/1.1', 'Host: box.example', 'hOST: evil.example']
    expect(await answerTo(`127.0.0.1:${port}`, lines)).toBe(400)
  })
})

/** Sends the lines of a request unchanged, and returns the status of the reply. */
async function answerTo(server: string, lines: readonly string[]): Promise<number> {
  const socket = connect(Number(server.split(':')[1]), '127.0.0.1')
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  return Number((await text(socket)).split(' ')[1])
}

/** Sends a request with a given `Host`, which `fetch` cannot, and returns its status. */
async function statusOf(url: string, headers = {}): Promise<number | undefined> {
  const [reply] = await once(get(url, { headers, agent: false }), 'response')
  reply.resume()
  return reply.statusCode
}

describe('API keys', () => {
  const apiKeys = ['the-first-of-the-keys', 'the-second-of-the-keys']
  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer the-first-of-the-key',
    'Bearer the-first-of-the-keys2',
    'Bearer THE-FIRST-OF-THE-KEYS',
    'Basic the-first-of-the-keys',
    'the-first-of-the-keys',
    'Bearer the-first-of-the-keys,the-second-of-the-keys',
  ])('are required for every write under /api: "%s" is refused', async (authorization) => {
    const harness = openHarness({ config: { apiKeys: apiKeys } })
    const headers = authorization === undefined ? {} : { authorization }
    for (const [url, body] of writes.filter(([path]) => path.startsWith('/api/'))) {
      const reply = await post(harness, url, body, headers)
      expect([reply.statusCode, reply.json().code]).toEqual([401, 'request/not-authorized'])
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="heirloom"')
    }
    expect((await harness.state()).tokens).toEqual([])
  })

  test.each(apiKeys)('each allow the writes: %s', async (key) => {
    const harness = openHarness({ config: { apiKeys: apiKeys } })
    const headers = { authorization: `Bearer ${key}` }
    expect((await post(harness, '/api/memory/snapshot', memory, headers)).statusCode).toBe(201)
    const lower = { authorization: `bearer ${key}` }
    expect((await post(harness, '/api/memory/snapshot', memory, lower)).statusCode).toBe(201)
  })

  test('are not required for reads, nor for the chain, whose transactions are signed', async () => {
    const harness = openHarness({ config: { apiKeys: apiKeys }, rpc })
    expect((await harness.server.inject('/api/memory/1/info')).statusCode).toBe(404)
    expect((await harness.server.inject('/api/memory/1')).json().code).toBe('proof/missing')
    expect((await post(harness, '/rpc', {})).statusCode).toBe(200)
  })

  test('are of no use to a foreign page', async () => {
    const harness = openHarness({ config: { apiKeys: apiKeys } })
    const headers = { authorization: `Bearer ${apiKeys[0]}`, origin: 'http://evil.example' }
    const reply = await post(harness, '/api/memory/snapshot', memory, headers)
    expect(reply.json().code).toBe('request/foreign-origin')
  })
})
