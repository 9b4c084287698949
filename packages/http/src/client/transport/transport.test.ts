import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openClientHarness } from '../../../test/client-harness.ts'
import { interceptingProxy, type Reply } from '../../../test/intercepting-proxy.ts'
import { agent, memory } from '../../../test/server-harness.ts'
import { createClient } from '../client.ts'

const oops: Reply = { status: 503, headers: {}, body: 'oops' }

/** A client of a server that a test decides for. */
async function meddled(retries?: number) {
  const world = await openClientHarness()
  const network = await interceptingProxy(world.url)
  onTestFinished(() => network[Symbol.asyncDispose]())
  const client = world.clientAt({ url: network.url, retries })
  return { ...world, network, client }
}

test.each([429, 502, 503, 504])(
  'a read that is answered with %d is tried again',
  async (status) => {
    const { network, client, timers } = await meddled()
    network.meddle(async (_, forward) =>
      network.asked.length < 4 ? { ...oops, status } : forward(),
    )
    await expect(client.deployment()).resolves.toHaveProperty('chainId')
    expect(network.asked).toHaveLength(4)
    // Half of each is left to chance, of which this clock has none.
    expect(timers.waits).toEqual([125, 250, 500])
  },
)

test.each([400, 404, 500, 501])('a read that is answered with %d is not', async (status) => {
  const { network, client } = await meddled()
  network.meddle(async () => ({ ...oops, status }))
  await expect(client.deployment()).rejects.toMatchObject({ code: 'client/bad-answer', status })
  expect(network.asked).toHaveLength(1)
})

test.each([0, 1, 5])('a call is tried again %d times and no more', async (retries) => {
  const { network, client } = await meddled(retries)
  network.meddle(async () => undefined)
  const facts = { method: 'GET', path: '/api/deployment' }
  const refused = { code: 'client/unreachable', facts, retryable: true, status: undefined }
  await expect(client.deployment()).rejects.toMatchObject(refused)
  expect(network.asked).toHaveLength(retries + 1)
})

test('a refusal that says it may pass is tried again, one that says it may not is not', async () => {
  const { network, client } = await meddled()
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
  network.meddle(async () => problem(network.asked.length < 2))
  const refused = { code: 'blob/unavailable', retryable: false, message: 'No.' }
  await expect(client.deployment()).rejects.toMatchObject(refused)
  expect(network.asked).toHaveLength(2)
})

test('as long as the server asks for is waited, and no longer than is sensible', async () => {
  const { network, client, timers } = await meddled(1)
  const spellings = fc.constantFrom(
    (seconds: number) => `${seconds}`,
    (seconds: number) => new Date(timers.now() + seconds * 1000).toUTCString(),
  )
  const waited = async (seconds: number, spelled: (seconds: number) => string) => {
    const headers = { 'retry-after': spelled(seconds) }
    network.meddle(async () => ({ ...oops, headers }))
    timers.waits.length = 0
    await expect(client.deployment()).rejects.toMatchObject({ retryAfter: headers['retry-after'] })
    return timers.waits
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(30), spellings, async (seconds, spelled) => {
      const [milliseconds = 0] = await waited(seconds, spelled)
      // A date has whole seconds.
      expect(milliseconds).toBeGreaterThanOrEqual((seconds - 1) * 1000 + 125)
      expect(milliseconds).toBeLessThanOrEqual(seconds * 1000 + 125)
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 32, max: 10 ** 7 }), spellings, async (seconds, spelled) => {
      expect(await waited(seconds, spelled)).toEqual([])
    }),
  )
})

test.each(['soon', '', '-1'])('a Retry-After of "%s" is none', async (text) => {
  const { network, client, timers } = await meddled(1)
  network.meddle(async () => ({ ...oops, headers: { 'retry-after': text } }))
  await client.deployment().catch(() => undefined)
  expect(timers.waits).toEqual([125])
})

test('a wallet that has spent its day is not asked again', async () => {
  const { network, client } = await meddled()
  const facts = { needed: '2', spent: '9', limit: '10' }
  network.meddle(async () => ({
    status: 429,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ code: 'wallet/day-limit', facts, detail: 'No.', retryable: true }),
  }))
  await expect(client.snapshot(memory)).rejects.toMatchObject({ code: 'wallet/day-limit', facts })
  expect(network.asked).toHaveLength(1)
})

test('nothing is sent where the server leads to', async () => {
  const { network, client, url } = await meddled()
  network.meddle(async () => ({ ...oops, status: 307, headers: { location: `${url}/api/wallet` } }))
  const refused = { code: 'client/bad-answer', status: 307 }
  await expect(client.deployment()).rejects.toMatchObject(refused)
  await expect(client.snapshot(memory)).rejects.toMatchObject(refused)
  expect(network.asked).toHaveLength(2)
})

test.each(['', '<html>', '{', '"', '7', 'null'])('the answer %j is a bad one', async (body) => {
  const { network, client } = await meddled()
  network.meddle(async () => ({ ...oops, status: 200, body }))
  await expect(client.deployment()).rejects.toMatchObject({
    code: 'client/bad-answer',
    status: 200,
  })
})

test('a problem of somebody between is a bad answer', async () => {
  const { network, client } = await meddled()
  const headers = { 'content-type': 'application/problem+json' }
  network.meddle(async () => ({ status: 413, headers, body: '{"title":"Too large"}' }))
  const refused = { code: 'client/bad-answer', status: 413 }
  await expect(client.snapshot(memory)).rejects.toMatchObject(refused)
})

test('an answer that breaks off is asked for again', async () => {
  const { network, client } = await meddled()
  const { tokenId } = await client.snapshot(memory)
  const begun = network.asked.length
  network.meddle(async (_, forward) => {
    const reply = await forward()
    return network.asked.length < begun + 4 ? { ...reply, cutAt: 20 } : reply
  })
  await expect(client.info(tokenId)).resolves.toMatchObject({ tokenId })
  expect(network.asked).toHaveLength(begun + 4)
})

test('a call ends with its signal, before, during and between its tries', async () => {
  const { network, client, clientAt } = await meddled()
  const ended = { code: 'client/aborted', retryable: false }
  await expect(client.info(1, { signal: AbortSignal.abort() })).rejects.toMatchObject(ended)
  expect(network.asked).toHaveLength(0)

  const during = new AbortController()
  network.meddle(async (_, forward) => {
    during.abort(new Error('enough'))
    return forward()
  })
  await expect(client.snapshot(memory, { signal: during.signal })).rejects.toMatchObject(ended)
  expect(network.asked).toHaveLength(1)

  const between = new AbortController()
  const timers = {
    now: () => 0,
    random: () => 0,
    wait: async (_: number, signal?: AbortSignal) => {
      between.abort()
      signal?.throwIfAborted()
    },
  }
  network.meddle(async () => oops)
  const waiting = clientAt({ url: network.url, timers })
  await expect(waiting.info(1, { signal: between.signal })).rejects.toMatchObject(ended)
  expect(network.asked).toHaveLength(2)
})

test('the platform itself is where time comes from, and a signal ends its waiting', async () => {
  const { network, url } = await meddled()
  network.meddle(async (_, forward) => (network.asked.length < 2 ? oops : forward()))
  const client = createClient({ url: network.url, account: agent })
  await expect(client.deployment()).resolves.toHaveProperty('chainId')
  const stop = new AbortController()
  network.meddle(async () => {
    setImmediate(() => stop.abort())
    return oops
  })
  const refused = client.deployment({ signal: stop.signal })
  await expect(refused).rejects.toMatchObject({ code: 'client/aborted' })
  expect(url).not.toBe(network.url)
})

test('a server may be anywhere below an origin', async () => {
  const { url, clientAt, timers } = await openClientHarness()
  await using network = await interceptingProxy(url)
  network.meddle(async ({ path }) => ({ ...oops, status: 200, body: JSON.stringify({ path }) }))
  for (const base of [`${network.url}/a/b`, `${network.url}/a/b/`, new URL(`${network.url}/a/b`)]) {
    const told: unknown = await clientAt({ url: base, timers }).deployment()
    expect(told).toEqual({ path: '/a/b/api/deployment' })
  }
})
