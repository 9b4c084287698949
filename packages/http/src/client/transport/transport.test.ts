import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openClientHarness } from '../../../test/client-harness.ts'
import { interceptingProxy, type Reply } from '../../../test/intercepting-proxy.ts'
import { agent, memory } from '../../../test/server-harness.ts'
import { createClient } from '../client.ts'
import { readWhole } from './decode-response.ts'

const oops: Reply = { status: 503, headers: {}, body: 'oops' }

/** Creates a client behind a network that a test controls. */
async function openNetwork(retries?: number) {
  const world = await openClientHarness()
  const network = await interceptingProxy(world.url)
  onTestFinished(() => network[Symbol.asyncDispose]())
  const client = world.clientAt({ url: network.url, retries })
  return { ...world, network, client }
}

test.each([429, 502, 503, 504])('a read is retried after the status %d', async (status) => {
  const { network, client, timers } = await openNetwork()
  network.intercept(async (_, forward) =>
    network.requests.length < 4 ? { ...oops, status } : forward(),
  )
  await expect(client.deployment()).resolves.toHaveProperty('chainId')
  expect(network.requests).toHaveLength(4)
  // Half of each delay is random, and these timers return 0.
  expect(timers.waits).toEqual([125, 250, 500])
})

test.each([400, 404, 500, 501])('a read is not retried after the status %d', async (status) => {
  const { network, client } = await openNetwork()
  network.intercept(async () => ({ ...oops, status }))
  await expect(client.deployment()).rejects.toMatchObject({ code: 'client/bad-answer', status })
  expect(network.requests).toHaveLength(1)
})

test.each([0, 1, 5])('a call is retried %d times at most', async (retries) => {
  const { network, client } = await openNetwork(retries)
  network.intercept(async () => undefined)
  const facts = { method: 'GET', path: '/api/deployment' }
  const refused = { code: 'client/unreachable', facts, retryable: true }
  await expect(client.deployment()).rejects.toMatchObject(refused)
  expect(network.requests).toHaveLength(retries + 1)
})

test('a retryable failure is retried, another is not', async () => {
  const { network, client } = await openNetwork()
  const problem = (retryable: boolean) => ({
    status: 500,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({
      code: 'blob/unavailable',
      facts: { operation: 'x' },
      detail: 'No.',
      retryable,
    }),
  })
  network.intercept(async () => problem(network.requests.length < 2))
  const refused = { code: 'blob/unavailable', retryable: false, message: 'No.' }
  await expect(client.deployment()).rejects.toMatchObject(refused)
  expect(network.requests).toHaveLength(2)
})

test('the delay of Retry-After is kept, up to a limit', async () => {
  const { network, client, timers } = await openNetwork(1)
  const formats = fc.constantFrom(
    (seconds: number) => `${seconds}`,
    (seconds: number) => new Date(timers.now() + seconds * 1000).toUTCString(),
  )
  const waitsAfter = async (seconds: number, format: (seconds: number) => string) => {
    const headers = { 'retry-after': format(seconds) }
    network.intercept(async () => ({ ...oops, headers }))
    timers.waits.length = 0
    await expect(client.deployment()).rejects.toMatchObject({ retryAfter: headers['retry-after'] })
    return timers.waits
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(30), formats, async (seconds, format) => {
      const [milliseconds = 0] = await waitsAfter(seconds, format)
      // A date has whole seconds.
      expect(milliseconds).toBeGreaterThanOrEqual((seconds - 1) * 1000 + 125)
      expect(milliseconds).toBeLessThanOrEqual(seconds * 1000 + 125)
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 32, max: 10 ** 7 }), formats, async (seconds, format) => {
      expect(await waitsAfter(seconds, format)).toEqual([])
    }),
  )
})

test.each(['soon', '', '-1'])('a Retry-After of "%s" is ignored', async (text) => {
  const { network, client, timers } = await openNetwork(1)
  network.intercept(async () => ({ ...oops, headers: { 'retry-after': text } }))
  await client.deployment().catch(() => undefined)
  expect(timers.waits).toEqual([125])
})

test('a write over the limit of the day is not retried', async () => {
  const { network, client } = await openNetwork()
  const facts = { needed: '2', spent: '9', limit: '10' }
  network.intercept(async () => ({
    status: 429,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ code: 'wallet/day-limit', facts, detail: 'No.', retryable: true }),
  }))
  await expect(client.snapshot(memory)).rejects.toMatchObject({ code: 'wallet/day-limit', facts })
  expect(network.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('a redirect is not followed', async () => {
  const { network, client, url } = await openNetwork()
  network.intercept(async () => ({
    ...oops,
    status: 307,
    headers: { location: `${url}/api/wallet` },
  }))
  const refused = { code: 'client/bad-answer', status: 307 }
  await expect(client.deployment()).rejects.toMatchObject(refused)
  await expect(client.snapshot(memory)).rejects.toMatchObject(refused)
  expect(network.requests.filter(({ path }) => path !== '/api/deployment')).toHaveLength(1)
})

test.each(['', '<html>', '{', '"', '7', 'null'])('the response %j is not valid', async (body) => {
  const { network, client } = await openNetwork()
  network.intercept(async () => ({ ...oops, status: 200, body }))
  await expect(client.deployment()).rejects.toMatchObject({
    code: 'client/bad-answer',
    status: 200,
  })
})

test('a problem document of a proxy is not a valid response', async () => {
  const { network, client } = await openNetwork()
  const headers = { 'content-type': 'application/problem+json' }
  network.intercept(async () => ({ status: 413, headers, body: '{"title":"Too large"}' }))
  const refused = { code: 'client/bad-answer', status: 413 }
  await expect(client.snapshot(memory)).rejects.toMatchObject(refused)
})

test('a truncated response is requested again', async () => {
  const { network, client } = await openNetwork()
  const { tokenId } = await client.snapshot(memory)
  const begun = network.requests.length
  network.intercept(async (_, forward) => {
    const reply = await forward()
    return network.requests.length < begun + 4 ? { ...reply, cutAt: 20 } : reply
  })
  await expect(client.info(tokenId)).resolves.toMatchObject({ tokenId })
  expect(network.requests).toHaveLength(begun + 4)
})

test('a signal aborts a call before, during and between its attempts', async () => {
  const { network, client, clientAt } = await openNetwork()
  const ended = { code: 'client/aborted', retryable: false }
  await expect(client.info(1, { signal: AbortSignal.abort() })).rejects.toMatchObject(ended)
  expect(network.requests).toHaveLength(0)

  const during = new AbortController()
  network.intercept(async (_, forward) => {
    during.abort(new Error('enough'))
    return forward()
  })
  await expect(client.snapshot(memory, { signal: during.signal })).rejects.toMatchObject(ended)
  expect(network.requests).toHaveLength(1)

  const interceptingProxy = new AbortController()
  const timers = {
    now: () => 0,
    random: () => 0,
    wait: async (_: number, signal?: AbortSignal) => {
      interceptingProxy.abort()
      signal?.throwIfAborted()
    },
  }
  network.intercept(async () => oops)
  const waiting = clientAt({ url: network.url, timers })
  await expect(waiting.info(1, { signal: interceptingProxy.signal })).rejects.toMatchObject(ended)
  expect(network.requests).toHaveLength(2)
})

test('the timers of the platform are the default, and a signal ends a wait', async () => {
  const { network, url } = await openNetwork()
  network.intercept(async (_, forward) => (network.requests.length < 2 ? oops : forward()))
  const client = createClient({ url: network.url, account: agent })
  await expect(client.deployment()).resolves.toHaveProperty('chainId')
  const stop = new AbortController()
  network.intercept(async () => {
    setImmediate(() => stop.abort())
    return oops
  })
  const refused = client.deployment({ signal: stop.signal })
  await expect(refused).rejects.toMatchObject({ code: 'client/aborted' })
  expect(url).not.toBe(network.url)
})

test('the address of a server may have a path', async () => {
  const { url, clientAt, timers } = await openClientHarness()
  await using network = await interceptingProxy(url)
  network.intercept(async ({ path }) => ({ ...oops, status: 200, body: JSON.stringify({ path }) }))
  for (const base of [`${network.url}/a/b`, `${network.url}/a/b/`, new URL(`${network.url}/a/b`)]) {
    const response: unknown = await clientAt({ url: base, timers }).deployment()
    expect(response).toEqual({ path: '/a/b/api/deployment' })
  }
})

test('an answer that inflates beyond the bound is refused, and not requested again', async () => {
  const { network, client } = await openNetwork()
  const body = gzipSync(Buffer.alloc(70 * 2 ** 20, ' '))
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  network.intercept(async () => ({ status: 200, headers, body }))
  const refused = { code: 'client/bad-answer', facts: { problem: 'it is too long' } }
  await expect(client.deployment()).rejects.toMatchObject(refused)
  expect(network.requests).toHaveLength(1)
  await expect(client.faucet(agent.address)).rejects.toMatchObject(refused)
  network.intercept(async () => ({ status: 404, headers, body }))
  await expect(client.deployment()).rejects.toMatchObject(refused)
})

test('the rest of an answer beyond the bound is not read', async () => {
  let [pulled, isCancelled] = [0, false]
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled += 1
      controller.enqueue(new Uint8Array(10))
    },
    cancel: () => {
      isCancelled = true
    },
  })
  const read = readWhole(new Response(body), undefined, 25)
  await expect(read).rejects.toMatchObject({ code: 'client/bad-answer' })
  expect([isCancelled, pulled < 6]).toEqual([true, true])
  const whole = new Response(new Uint8Array(25))
  expect(await readWhole(whole, undefined, 25)).toHaveLength(25)
})

test.each([
  ['localhost:3000', '"localhost:3000"'],
  ['ftp://x', '"ftp://x"'],
  ['foo', '"foo"'],
  ['', '""'],
  ['ada:secret@localhost', '"localhost"'],
  [undefined, 'missing'],
])('the address %j is refused before a call', (url, shown) => {
  const refused = {
    name: 'HeirloomError',
    code: 'value/invalid',
    retryable: false,
    message: `url is ${shown}; give it with http:// or https://, as in http://localhost:3000.`,
  }
  expect(() => createClient({ url: url as string })).toThrow(expect.objectContaining(refused))
  const proof = { rpcUrl: 'node:8545', registry: agent.address } as const
  expect(() => createClient({ url: 'http://localhost', proof })).toThrow(
    'proof.rpcUrl is "node:8545"',
  )
})

test('a server that is down is named, without what is secret in its address', async () => {
  const client = createClient({ url: 'http://ada:secret@127.0.0.1:1/path', retries: 0 })
  const message = 'The server at http://127.0.0.1:1 did not answer GET /api/deployment.'
  await expect(client.deployment()).rejects.toMatchObject({ code: 'client/unreachable', message })
})
