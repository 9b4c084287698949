import { Failure, type Ledger } from '@heirloom/core'
import { HttpRequestError } from 'viem'
import { expect, test } from 'vitest'
import { agent, memory, openHarness, post, proofOf } from '../../test/server-harness.ts'

const key = 'an-api-key-of-some-length'
const url = 'https://user:hunter2@node.example/'

function openLogged(more: object = {}) {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const logger = { level: 'trace', stream } as const
  const harness = openHarness({ config: { apiKeys: [key] }, logger, ...more })
  return { harness, lines, text: () => lines.join('\n') }
}

test('no signature, key or body is ever logged, at any level', async () => {
  const { harness, text } = openLogged()
  const authorization = `Bearer ${key}`
  const secret = { ...memory, data: { diary: 'a secret thought' } }
  await post(harness, '/api/memory/snapshot', secret, { authorization, cookie: 'session=crumbs' })
  await post(
    harness,
    '/api/memory/snapshot',
    { ...secret, metadata: { category: 7 } },
    { authorization },
  )
  await post(harness, '/api/memory/snapshot', '{"diary":"a secret thought', { authorization })
  await post(harness, '/api/memory/snapshot', secret, { authorization: `${authorization}x` })
  const proof = await proofOf(agent, '1', 1_800_000_000)
  for (const id of ['1', '2']) {
    await harness.server.inject({ url: `/api/memory/${id}?key=${key}`, headers: proof })
  }
  expect(text()).toContain('"path":"/api/memory/1"')
  for (const hidden of [
    key,
    'secret thought',
    'crumbs',
    proof['x-wallet-signature'].slice(2, 60),
  ]) {
    expect(text()).not.toContain(hidden)
  }
})

test('headers and bodies are redacted in every line that a handler logs', async () => {
  const { harness, text } = openLogged()
  const secrets = [
    ...['authorization', 'cookie', 'set-cookie', 'proxy-authorization', 'x-api-key'],
    ...['x-signature', 'x-wallet-signature', 'payment-signature', 'x-payment', 'payment-required'],
    ...['payment-response', 'x-payment-response', 'x-content-salt', 'idempotency-key'],
  ]
  const names = [...secrets, ...secrets.map((name) => name.toUpperCase())]
  const all = [['accept', 'shown'], ...names.map((name) => [name, key])]
  const headers: Readonly<Record<string, string>> = Object.fromEntries(all)
  harness.server.log.info({ request: { headers, body: key }, body: key, headers })
  harness.server.log.child({ headers }).error({ response: { headers } }, 'one more')
  expect(text().match(/shown/g)).toHaveLength(4)
  expect(text()).not.toContain(key)
  expect(headers.authorization).toBe(key)
})

test('an error is logged with its causes, but without the secrets that a client library quotes in them', async () => {
  const cause = new HttpRequestError({ url, body: { secret: 'hunter2' }, status: 500 })
  const broken = (ledger: Ledger): Ledger => ({
    ...ledger,
    listing: () => {
      throw new Failure('ledger/unavailable', { operation: 'listing' }, { cause })
    },
    provenance: () => Promise.reject(new TypeError(`cannot read ${url}`)),
  })
  const { harness, lines, text } = openLogged({ ledgerThrough: broken })
  await harness.server.inject('/api/marketplace/listings/1')
  await harness.server.inject('/api/memory/1/info')
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
  expect(errors).toMatchObject([
    {
      code: 'ledger/unavailable',
      err: {
        message: expect.stringContaining('listing'),
        cause: { message: 'HTTP request failed.' },
      },
    },
    { code: 'service/unexpected', err: { cause: { type: 'TypeError' } } },
  ])
  expect(errors[1].err.cause.stack.length).toBeGreaterThan(0)
  expect(text()).not.toContain('hunter2')
})

test('every line of a request has the id of its reply', async () => {
  const { harness, lines } = openLogged()
  const reply = await harness.server.inject('/api/memory/7/info')
  const ids = lines.map((line) => JSON.parse(line).reqId).filter((id) => id !== undefined)
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids)).toEqual(new Set([reply.headers['x-request-id']]))
})

test('every answered request has one line, and so does a refusal', async () => {
  const { harness, lines } = openLogged()
  const replies = [
    await harness.server.inject('/livez'),
    await harness.server.inject('/api/memory/7/info?secret=1'),
    await harness.server.inject('/nowhere'),
  ]
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(logged.map(({ reqId, method, path, status, level }) => [reqId, method, path, status, level]))
    // biome-ignore format: one line for each reply
    .toEqual([
    [replies[0]?.headers['x-request-id'], 'GET', '/livez', 200, 30],
    [replies[1]?.headers['x-request-id'], 'GET', '/api/memory/7/info', 404, 30],
    [replies[2]?.headers['x-request-id'], 'GET', '/nowhere', 404, 30],
  ])
  for (const { took, ip } of logged) expect([took >= 0, ip]).toEqual([true, '127.0.0.1'])
})

test.each([1, ['127.0.0.1']])(
  'a line stays JSON, whatever X-Forwarded-For says to %j proxies',
  async (trustProxy) => {
    const { harness, lines } = openLogged({ config: { bounds: { trustProxy } } })
    const forwarded = '1.1.1.1","level":60,"x":"'
    await harness.server.inject({ url: '/livez', headers: { 'x-forwarded-for': forwarded } })
    const answered = lines.filter((line) => line.includes('"answered"')).map((it) => JSON.parse(it))
    expect(answered).toMatchObject([{ level: 30, ip: '127.0.0.1' }])
  },
)

test.each([
  '/api/names/a-secret-name',
  '/api/names/a-secret-name/versions',
  '/api/n%61mes/a-secret-name',
  '/%61pi/names/a-secret-name%2Fmore',
  '//api/names/a-secret-name',
  '/API/names/a-secret-name',
  '/api/n%2561mes/a-secret-name',
  '/before/api/names/a-secret-name',
  '/api/./names/a-secret-name',
])('no private name is logged, however its path is spelt: %s', async (path) => {
  const { harness, text } = openLogged()
  await harness.server.inject({ url: path })
  expect(text()).toContain('"path":"/api/names/*"')
  expect(text()).not.toContain('a-secret-name')
})
