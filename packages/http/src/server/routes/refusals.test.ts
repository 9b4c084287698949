import { Failure, type Ledger } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { type Expected, expectRefusal, invalid, malformed } from '../../../test/expect-refusal.ts'
import {
  freeTerms,
  memory,
  mintToken,
  openHarness,
  other,
  post,
} from '../../../test/server-harness.ts'

// A refusal changes nothing, so one server serves nearly all of them.
const harness = openHarness()

describe('a snapshot', () => {
  const { data, metadata } = memory
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const withData = (text: string) => `{"metadata":{"category":"x"},"data":${text}}`

  test.each<[string, unknown, Expected]>([
    ['no body', undefined, malformed],
    ['no data', { metadata }, malformed],
    ['data that is a list', { data: [], metadata }, malformed],
    ['data that is a text', { data: '{}', metadata }, malformed],
    ['data that is null', { data: null, metadata }, malformed],
    ['no metadata', { data }, malformed],
    ['metadata that is a list', { data, metadata: [] }, malformed],
    ['no category', { data, metadata: { agentId: 'a' } }, malformed],
    ['an empty category', { data, metadata: { category: '' } }, malformed],
    ['a category that is a number', { data, metadata: { category: 1 } }, malformed],
    ['a parent that is a number', { ...memory, parentTokenId: 1 }, malformed],
    ['a parent with a leading zero', { ...memory, parentTokenId: '01' }, malformed],
    [
      'an unknown parent',
      { ...memory, parentTokenId: '99999' },
      { status: 404, code: 'token/not-found' },
    ],
    ['a recipient that is no address', { ...memory, recipient: '0x12' }, malformed],
    [
      'a recipient with a wrong checksum',
      { ...memory, recipient: other.address.replace(/[a-f]/, (digit) => digit.toUpperCase()) },
      invalid,
    ],
    ['a body that is a list', '[]', { status: 400, code: 'json/malformed' }],
    ['truncated JSON', withData('{"a":1').slice(0, -1), { status: 400, code: 'json/malformed' }],
    ['JSON nested too deep', withData(nested(1000)), { status: 400, code: 'json/too-deep' }],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(withData('{"a":"')), Buffer.from([0xff]), Buffer.from('"}}')]),
      { status: 400, code: 'json/malformed' },
    ],
    [
      'data given twice',
      '{"data":{},"data":{},"metadata":{"category":"x"}}',
      { status: 400, code: 'json/duplicate-member' },
    ],
    [
      'a body over the limit',
      { data: { text: 'x'.repeat(1 << 20) }, metadata },
      { status: 413, code: 'request/too-large' },
    ],
  ])('with %s is refused', async (_, body, expected) => {
    await expectRefusal(harness, () => post(harness, '/api/memory/snapshot', body), expected)
  })

  // The sealed blob remains, without a token, until the next sweep.
  test('for the zero address is refused', async () => {
    const { blobs: _, ...before } = await harness.state()
    const body = { ...memory, recipient: `0x${'0'.repeat(40)}` }
    const reply = await post(harness, '/api/memory/snapshot', body)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'recipient/invalid'])
    expect(await harness.state()).toMatchObject(before)
  })

  test('nested as deep as allowed is taken', async () => {
    const reply = await post(harness, '/api/memory/snapshot', withData(nested(999)))
    expect(reply.statusCode).toBe(201)
  })

  test('that fills the limit to the byte is accepted, and a longer one is refused with the limit', async () => {
    const exact = openHarness({ config: { bodyLimit: JSON.stringify(memory).length } })
    expect((await post(exact, '/api/memory/snapshot', memory)).statusCode).toBe(201)
    const send = () => post(exact, '/api/memory/snapshot', `${JSON.stringify(memory)} `)
    const { facts } = await expectRefusal(exact, send, { status: 413, code: 'request/too-large' })
    expect(facts).toEqual({ limit: JSON.stringify(memory).length })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    'nonsense',
  ])('of type %s is refused', async (type) => {
    const send = () => post(harness, '/api/memory/snapshot', memory, { 'content-type': type })
    await expectRefusal(harness, send, { status: 415, code: 'request/wrong-type' })
  })

  test.each(['gzip', 'br', 'zstd', 'identity, gzip'])(
    'encoded as %s is refused',
    async (coding) => {
      const send = () =>
        post(harness, '/api/memory/snapshot', memory, { 'content-encoding': coding })
      const refused = await expectRefusal(harness, send, {
        status: 415,
        code: 'request/wrong-type',
      })
      expect(refused.detail).toContain(coding)
      const reply = await send()
      expect(reply.headers['accept-encoding']).toBe('identity')
    },
  )

  test('that is not encoded may say so', async () => {
    const headers = { 'content-encoding': 'Identity' }
    const reply = await post(harness, '/api/memory/snapshot', memory, headers)
    expect(reply.statusCode).toBe(201)
  })
})

describe('a token id', () => {
  const paths = [
    ['GET', (id: string) => `/api/memory/${id}`],
    ['GET', (id: string) => `/api/memory/${id}/info`],
    ['GET', (id: string) => `/api/marketplace/listings/${id}`],
    ['POST', (id: string) => `/api/marketplace/buy/${id}`],
    ['POST', (id: string) => `/api/marketplace/rent/${id}`],
    ['POST', (id: string) => `/api/marketplace/fork/${id}`],
    ['POST', (id: string) => `/api/marketplace/royalty/${id}`],
  ] as const
  const body = { durationDays: 1, amount: '1' }

  test.each<[string, string, Expected]>([
    ['a leading zero', '01', malformed],
    ['a plus', '+1', malformed],
    ['a minus', '-1', malformed],
    ['an exponent', '1e1', malformed],
    ['a fraction', '1.0', malformed],
    ['hexadecimal', '0x1', malformed],
    ['a space', '%201', malformed],
    ['a line end', '1%0A', malformed],
    ['other digits', '%D9%A1', malformed],
    ['79 digits', '1'.repeat(79), malformed],
    ['2000 digits', '1'.repeat(2000), malformed],
    ['2^256', (2n ** 256n).toString(), invalid],
  ])('with %s is refused in every path and body', async (_, id, expected) => {
    await mintToken(harness)
    for (const [method, path] of paths) {
      const payload = method === 'POST' ? { payload: body } : {}
      const send = () => harness.server.inject({ method, url: path(id), ...payload })
      const { detail } = await expectRefusal(harness, send, expected)
      if (expected === malformed)
        expect(detail).toContain('params/tokenId must be a decimal string')
    }
    const offer = { ...freeTerms, tokenId: decodeURIComponent(id) }
    await expectRefusal(harness, () => post(harness, '/api/marketplace/list', offer), expected)
  })

  test('of the highest value is looked up', async () => {
    const url = `/api/memory/${2n ** 256n - 1n}/info`
    const send = () => harness.server.inject({ url })
    const { facts } = await expectRefusal(harness, send, { status: 404, code: 'token/not-found' })
    expect(facts).toEqual({ tokenId: (2n ** 256n - 1n).toString() })
  })

  test.each(['0', '99999'])('of no token (%s) is not found', async (id) => {
    const unknown = { status: 404, code: 'token/not-found' }
    for (const [method, path] of paths.slice(1)) {
      const payload = method === 'POST' ? { payload: body } : {}
      await expectRefusal(
        harness,
        () => harness.server.inject({ method, url: path(id), ...payload }),
        unknown,
      )
    }
    const offer = { ...freeTerms, tokenId: id }
    await expectRefusal(harness, () => post(harness, '/api/marketplace/list', offer), unknown)
  })
})

describe('a server fault', () => {
  test('does not reveal its cause', async () => {
    const secret = 'https://user:pass@node.example/key'
    const broken = (ledger: Ledger): Ledger => ({
      ...ledger,
      listing: () => Promise.reject(new Error(secret)),
      provenance: () => {
        throw new Failure('ledger/unavailable', { operation: 'x' }, { cause: new Error(secret) })
      },
    })
    const harness = openHarness({ ledgerThrough: broken })
    const unexpected = await harness.server.inject('/api/marketplace/listings/1')
    const unavailable = await harness.server.inject('/api/memory/1/info')
    expect([unexpected.statusCode, unexpected.json().code]).toEqual([500, 'service/unexpected'])
    expect([unavailable.statusCode, unavailable.json().retryable]).toEqual([503, true])
    expect(unexpected.body + unavailable.body).not.toContain('node.example')
  })
})

describe('any other path', () => {
  test.each([
    ['PUT', '/api/memories'],
    ['POST', '/api/marketplace/sell/1'],
    ['DELETE', '/api/memory/1/2/3'],
    ['OPTIONS', '/api/marketplace/sell/1'],
    ['GET', '/api/marketplace/buy/1/'],
  ] as const)('%s %s is not found', async (method, path) => {
    const reply = await openHarness().server.inject({ method, url: path })
    expect([reply.statusCode, reply.json().facts]).toEqual([404, { method, path }])
  })

  test('that is no UTF-8 is malformed', async () => {
    const reply = await openHarness().server.inject('/api/memory/%FF/info')
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
  })
})

describe('a method', () => {
  const inject = (method: 'HEAD' | 'OPTIONS' | 'PUT' | 'GET' | 'DELETE', url: string) =>
    openHarness().server.inject({ method, url })

  test.each([
    ['PUT', '/api/memory/1/info', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/names/ada%2Ftrading', 'DELETE, GET, HEAD, PATCH, OPTIONS'],
    ['GET', '/api/marketplace/buy/1', 'POST, OPTIONS'],
    ['DELETE', '/%61pi/marketplace/buy/1?a=b', 'POST, OPTIONS'],
  ] as const)(
    'that a path does not have is refused, with those that it has: %s %s',
    async (...it) => {
      const [method, url, allow] = it
      const reply = await inject(method, url)
      expect([reply.statusCode, reply.headers.allow]).toEqual([405, allow])
      expect(reply.json()).toMatchObject({ code: 'route/wrong-method', facts: { allowed: allow } })
      const options = await inject('OPTIONS', url)
      expect([options.statusCode, options.headers.allow, options.body]).toEqual([204, allow, ''])
    },
  )

  test('HEAD has the status and the headers of GET, and no body', async () => {
    const [head, get] = [
      await inject('HEAD', '/api/deployment'),
      await inject('GET', '/api/deployment'),
    ]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length']) {
      expect(head.headers[name]).toBe(get.headers[name])
    }
  })
})
