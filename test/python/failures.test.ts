import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../packages/http/test/intercepting-proxy.ts'
import { freePort } from '../harness/process/free-port.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { proxyOf, runScript } from '../harness/python/scripts.ts'

const server = sharedServer()

/** Runs a script whose client speaks to a proxy, and repeats no call unless it is said. */
const runBehind = async (url: string, script: string, retries = 0) =>
  runScript(server, script, { HEIRLOOM_URL: url, RETRIES: `${retries}` })

const made = `token = client.snapshot({'a': 1}, category)['tokenId']\n`

describe('a proof', () => {
  test('is bound to the server, or plain where the server names another origin', async () => {
    const proxy = await proxyOf(server)
    const script = `${made}
texts = []
def note(text):
    texts.append(text)
    return sign(text)
for url in (os.environ['DIRECT'], os.environ['HEIRLOOM_URL']):
    Heirloom(url + '/', sign=note, address=address).download(token)
print(json.dumps(texts))`
    const environment = { HEIRLOOM_URL: proxy.url, DIRECT: server.url }
    expect(await runScript(server, script, environment)).toEqual([
      expect.stringContaining(`\nURI: ${server.url}/api/memory/`),
      expect.stringMatching(/^service:access:\d+:0x[0-9A-Fa-f]{40}:\d{10}$/),
    ])
  })

  test('of another key, of none and of a wrong form is refused', async () => {
    const script = `${made}
def with_sign(sign, address=address):
    return failure_of(lambda: Heirloom(client._url, sign=sign, address=address).download(token))
print(json.dumps([
    with_sign(sign, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'), with_sign(lambda _: bytes(65)),
    with_sign(lambda _: 'no'), with_sign(None), with_sign(sign, None),
]))`
    expect(await runScript(server, script)).toMatchObject([
      { status: 403, facts: expect.anything() },
      { status: 403 },
      { status: 403, code: 'proof/malformed' },
      { code: 'client/no-account', status: null },
      { code: 'client/no-account' },
    ])
  })

  test('takes a signature as bytes, and as hex with and without 0x', async () => {
    const script = `${made}
forms = [lambda text: bytes.fromhex(sign(text)[2:]), lambda text: sign(text)[2:]]
print(json.dumps([Heirloom(client._url, sign=form, address=address).download(token).data for form in forms]))`
    expect(await runScript(server, script)).toEqual([{ a: 1 }, { a: 1 }])
  })
})

/** Falsifications of the answer to a download. */
const withHeader = (name: string, value: string) => (reply: Reply) => ({
  headers: { ...reply.headers, [name]: value },
})
const tampering: readonly ((reply: Reply) => Partial<Reply>)[] = [
  ({ body }) => ({ body: `${body}`.replace('"a":1', '"a":2') }),
  withHeader('x-content-salt', `0x${'0'.repeat(64)}`),
  withHeader('x-content-salt', ''),
  withHeader('x-content-hash', `0x${'1'.repeat(64)}`),
  ({ headers }) => {
    const body = '{"data":{"a":2},"metadata":{"category":"x"}}'
    const salt = Buffer.from(`${headers['x-content-salt']}`.slice(2), 'hex')
    const hash = createHash('sha256').update(salt).update(body).digest('hex')
    return { body, headers: { ...headers, 'x-content-hash': `0x${hash}` } }
  },
]

describe('a response', () => {
  test('with other bytes, another salt or another record returns no memory', async () => {
    const proxy = await proxyOf(server)
    const pending = [...tampering]
    proxy.intercept(async ({ headers }, forward) => {
      const reply = await forward()
      const isDownload = headers['x-wallet-signature'] !== undefined
      return isDownload ? { ...reply, ...pending.shift()?.(reply) } : reply
    })
    const script = `${made}print(json.dumps([failure_of(lambda: client.download(token)) for _ in range(5)]))`
    const refused = { code: 'client/not-verified', facts: { problem: expect.any(String) } }
    expect(await runBehind(proxy.url, script)).toMatchObject(Array(5).fill(refused))
  })

  test('that redirects is not followed, so no key and no body goes elsewhere', async () => {
    const proxy = await proxyOf(server)
    const elsewhere = await proxyOf(server)
    proxy.intercept(async ({ path }) => ({
      status: path.includes('list') ? 307 : 302,
      headers: { location: `${elsewhere.url}/api/wallet` },
      body: '',
    }))
    const script = `
client = Heirloom(os.environ['PROXY'], 'secret')
print(json.dumps([failure_of(lambda: client.info(1)), failure_of(lambda: client.list(1, price=1))]))`
    const failures = await runScript(server, script, { PROXY: proxy.url })
    expect(failures).toMatchObject([
      { code: 'client/bad-answer', status: 302 },
      { code: 'client/bad-answer', status: 307, idempotency_key: expect.any(String) },
    ])
    expect(proxy.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret',
      'Bearer secret',
    ])
    expect(elsewhere.requests).toEqual([])
    expect(JSON.stringify(failures)).not.toContain('secret')
  })

  test('without the members of this API is reported', async () => {
    const proxy = await proxyOf(server)
    proxy.intercept(async ({ path }, forward) => {
      if (path === '/api/names/ada') return { status: 200, headers: {}, body: '{"last":[]}' }
      const body = JSON.stringify({ proofs: ['eip4361'], origin: proxy.url })
      return path === '/api/deployment' ? { status: 200, headers: {}, body } : forward()
    })
    const script = `print(json.dumps([failure_of(it)['facts'] for it in (lambda: Heirloom(client._url).latest('ada'), lambda: client.download(1))]))`
    expect(await runBehind(proxy.url, script)).toEqual([
      { problem: 'it has no tokenId' },
      { problem: 'it has no chainId' },
    ])
  })

  test('that is no answer of this API is reported with its status', async () => {
    const proxy = await proxyOf(server)
    const replies = [
      { status: 502, headers: { 'retry-after': '7' }, body: '<html>' },
      {
        status: 413,
        headers: { 'content-type': 'application/problem+json' },
        body: '{"title":"Large"}',
      },
      { status: 500, headers: {}, body: '['.repeat(100_000) },
      { status: 200, headers: {}, body: '7' },
      { status: 200, headers: {}, body: '{' },
      { status: 200, headers: {}, body: '['.repeat(100_000) },
    ]
    const script = `print(json.dumps([failure_of(lambda: client.info(1)) for _ in range(6)]))`
    // The preamble asks once; the proxy cuts what is beyond the replies.
    proxy.intercept(async ({ path }, forward) =>
      path === '/api/deployment' ? forward() : replies[proxy.requests.length - 2],
    )
    expect(await runBehind(proxy.url, script)).toMatchObject([
      { code: 'client/bad-answer', status: 502, retryable: true, retry_after: '7' },
      { code: 'client/bad-answer', status: 413, retryable: false },
      { code: 'client/bad-answer', status: 500, retryable: false },
      ...Array(3).fill({ code: 'client/bad-answer' }),
    ])
  })
})

describe('a lost connection', () => {
  test('is reported, and a write that is repeated with its key is done once', async () => {
    const proxy = await proxyOf(server)
    proxy.intercept(async ({ method }, forward) => {
      const reply = await forward()
      const isFirst = proxy.requests.filter((it) => it.method === 'POST').length === 1
      return method === 'POST' && isFirst ? { ...reply, cutAt: 10 } : reply
    })
    const script = `
lost = failure_of(lambda: client.save('once', {'a': 1}, category, after=None))
repeat = lambda a: client.save('once', {'a': a}, category, after=None, idempotency_key=lost['idempotency_key'])
print(json.dumps([lost, repeat(1), client.log('once')['items'], failure_of(lambda: repeat(2))]))`
    expect(await runBehind(proxy.url, script)).toMatchObject([
      { code: 'client/unreachable', retryable: true, status: null, facts: { method: 'POST' } },
      { version: 1 },
      [{ version: 1 }],
      { code: 'idempotency/key-reused', status: 422 },
    ])
  })

  test('is repeated by the client itself, and the write is done once', async () => {
    const proxy = await proxyOf(server)
    proxy.intercept(async ({ method }, forward) => {
      const reply = await forward()
      const writes = proxy.requests.filter((it) => it.method === 'POST').length
      return method === 'POST' && writes <= 2 ? { ...reply, cutAt: 10 } : reply
    })
    const script = `
saved = client.save('repeated', {'a': 1}, category, after=None)
print(json.dumps([saved['version'], len(client.log('repeated')['items'])]))`
    expect(await runBehind(proxy.url, script, 3)).toEqual([1, 1])
    const writes = proxy.requests.filter((it) => it.method === 'POST')
    const keys = new Set(writes.map(({ headers }) => headers['idempotency-key']))
    expect([writes.length, keys.size]).toEqual([3, 1])
  })

  test('a server that is not there, or does not answer in time, is reported', async () => {
    const proxy = await proxyOf(server)
    proxy.intercept(() => new Promise(() => undefined))
    const script = `
nobody = Heirloom(os.environ['NOBODY'])
silent = Heirloom(os.environ['SILENT'], timeout=0.2, retries=1)
print(json.dumps([failure_of(lambda: it.info(1)) for it in (nobody, silent)]))`
    const environment = { NOBODY: `http://127.0.0.1:${await freePort()}`, SILENT: proxy.url }
    const facts = { method: 'GET', path: '/api/memory/1/info' }
    const unreachable = { code: 'client/unreachable', facts, retryable: true }
    expect(await runScript(server, script, environment)).toMatchObject([unreachable, unreachable])
  })
})

describe('a response that says to wait', () => {
  const past = new Date(0).toUTCString()
  const nextYear = new Date(Date.now() + 3e10).toUTCString()
  test.each([
    ['429 with seconds', 429, '0', 3],
    ['503 with a date that is over', 503, past, 3],
    ['503 without a delay', 503, undefined, 3],
    ['502 of a proxy', 502, 'soon', 3],
    ['503 with more than half a minute', 503, '31', 1],
    ['429 with a distant date', 429, nextYear, 1],
    ['500', 500, '0', 1],
  ])('%s is repeated as often as that can help', async (_, status, after, times) => {
    const proxy = await proxyOf(server)
    const headers = after === undefined ? {} : { 'retry-after': after }
    proxy.intercept(async ({ path }, forward) =>
      path.endsWith('/info') ? { status, headers, body: 'busy' } : forward(),
    )
    const script = `print(json.dumps(failure_of(lambda: client.info(1))))`
    const failed = await runBehind(proxy.url, script, 2)
    expect(failed).toMatchObject({ code: 'client/bad-answer', status, retry_after: after ?? null })
    expect(proxy.requests.filter(({ path }) => path.endsWith('/info'))).toHaveLength(times)
  })

  test('a limit of the day is no reason to repeat', async () => {
    const proxy = await proxyOf(server)
    const problem = { code: 'wallet/day-limit', detail: 'Tomorrow.', retryable: true, facts: {} }
    const reply = { status: 429, headers: {}, body: JSON.stringify(problem) }
    proxy.intercept(async ({ method }, forward) => (method === 'POST' ? reply : forward()))
    const script = `print(json.dumps(failure_of(lambda: client.royalty(1, amount=1))['code']))`
    expect(await runBehind(proxy.url, script, 2)).toBe('wallet/day-limit')
    expect(proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('an erasure that was done already is no failure, so it may be repeated', async () => {
    const script = `
token = client.snapshot({'a': 1}, category)['tokenId']
print(json.dumps([client.erase(token), client.erase(token)]))`
    const [first, again] = (await runScript(server, script)) as readonly object[]
    expect(again).toEqual(first)
  })

  test('each attempt of a download has a proof of its own', async () => {
    const proxy = await proxyOf(server)
    const isDownload = (headers: object) => 'x-wallet-signature' in headers
    proxy.intercept(async ({ headers }, forward) => {
      const isFirst = proxy.requests.filter((it) => isDownload(it.headers)).length === 1
      return isDownload(headers) && isFirst ? { status: 503, headers: {}, body: '' } : forward()
    })
    const script = `
texts = []
def note(text):
    texts.append(text)
    return sign(text)
token = client.snapshot({'a': 1}, category)['tokenId']
data = Heirloom(client._url, sign=note, address=address).download(token).data
print(json.dumps([data, len(texts)]))`
    expect(await runBehind(proxy.url, script, 1)).toEqual([{ a: 1 }, 2])
  })
})

test('values without a form are refused before anything is sent', async () => {
  const proxy = await proxyOf(server)
  const script = `
ids = [True, -1, 1.0, '01', '1/../2', '١', '1\\n', '', None]
cycle = {}
cycle['it'] = cycle
bundles = [{'a': float('nan')}, {'a': '\\ud800'}, {'a': {1, 2}}, {'a': 10**5000}, cycle]
keys = ['', 'a\\nb', 'ключ', 'k' * 201]
urls = [None, 'file:///etc/passwd', '127.0.0.1:3000', 'http://', 'http://user:word@127.0.0.1']
def is_refused(*words):
    try:
        Heirloom(*words)
    except ValueError:
        return True
print(json.dumps([
    sorted({failure_of(lambda: client.info(it))['code'] for it in ids}),
    sorted({failure_of(lambda: client.snapshot(it, category))['code'] for it in bundles}),
    [is_refused(it) for it in urls] + [is_refused(client._url, it) for it in ('a\\nb', 'ключ')],
    sorted({failure_of(lambda: client.royalty(1, amount=1, idempotency_key=it))['code'] for it in keys}),
    failure_of(lambda: client.list(1, price=0.5))['facts'],
    [failure_of(it)['detail'] for it in (lambda: client.granted('0x12'), lambda: client.info('x'))],
]))`
  expect(await runBehind(proxy.url, script)).toEqual([
    ['value/invalid'],
    ['bundle/malformed'],
    Array(7).fill(true),
    ['value/invalid'],
    { kind: 'price', problem: expect.any(String) },
    [
      "This grant is not valid: it must be 0x and 64 lower-case hex digits; got '0x12'.",
      "This token id is not valid: it must be an int, or digits without point, sign or leading zero; got 'x'.",
    ],
  ])
  // The one request is that of the preamble.
  expect(proxy.requests).toHaveLength(1)
})

test('a value without a form is named by its place, and a malformed name by itself', async () => {
  const script = `
cycle = {}
cycle['it'] = [cycle]
bundles = [{'a': [0, {'b/c': float('nan')}]}, {'a': {1, 2}}, {'a': '\\ud800'}, {(1, 2): 3}, cycle]
calls = [client.latest, client.log, lambda name: client.save(name, {}, category, after=None)]
print(json.dumps([
    [failure_of(lambda: client.snapshot(it, category))['detail'] for it in bundles],
    [failure_of(lambda: call('Bad Name'))['detail'] for call in calls],
    [failure_of(lambda: call('0x' + 40 * 'a' + ':ada'))['detail'] for call in calls],
]))`
  const [places, names, others] = (await runScript(
    server,
    script,
  )) as readonly (readonly string[])[]
  for (const [nth, place] of [
    '/data/a/1/b~1c',
    '/data/a',
    '/data/a',
    '/data',
    '/data/it/0',
  ].entries())
    expect(places?.[nth]).toContain(` at ${place} (`)
  for (const text of names ?? []) {
    expect(text).toMatch(/^The name 'Bad Name' is refused\. The name has capital letters/)
  }
  expect(new Set(others)).toEqual(
    new Set([
      `0x${'a'.repeat(40)}:ada is a name of another account: call granted with the id of its grant.`,
    ]),
  )
})

test('no other path is reached by a name', async () => {
  const script = `
names = ['', '.', '..', '../x', '%2e%2e', 'a/..', '?', '#']
print(json.dumps(sorted({failure_of(lambda: call(it))['code'] for it in names for call in (client.latest, client.log)})))`
  // This proxy, as others, drops segments of dots.
  const proxy = await proxyOf(server)
  expect(await runBehind(proxy.url, script)).toEqual(['name/malformed'])
})
