import { createServer } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { interceptingProxy } from '../../test/intercepting-proxy.ts'
import { listenOnLoopback } from '../../test/listen-on-loopback.ts'
import { memory } from '../../test/server-harness.ts'
import { createWatch } from './events.ts'
import type { StreamEvent } from './responses.ts'

/** A world with a minted token for each event of the kind `mint`. */
async function worldWithTokens(count: number) {
  const world = await openClientHarness()
  for (let index = 0; index < count; index += 1) await world.client.snapshot(memory)
  return world
}

test('calls with each event in order, and resumes after the last one', async () => {
  const world = await worldWithTokens(3)
  const seen: string[] = []
  const watchFrom = (after: string, until: string) => {
    const watch = world.client.watch({
      after,
      kind: ['mint'],
      onEvent: ({ tokenId }: StreamEvent & { readonly tokenId?: string }) => {
        seen.push(`${tokenId}`)
        if (tokenId === until) void watch.stop()
      },
    })
    return watch
  }
  const first = watchFrom('start', '2')
  await first.ended
  await watchFrom(first.last() ?? '', '3').ended
  expect(seen).toEqual(['1', '2', '3'])
})

test('an event whose handler fails is not counted as handled, and ends the watch', async () => {
  const world = await worldWithTokens(2)
  const seen: string[] = []
  const failing = world.client.watch({
    after: 'start',
    kind: ['mint'],
    onEvent: ({ id }) => {
      seen.push(id)
      if (seen.length === 2) throw new TypeError('The disk is full.')
    },
  })
  await expect(failing.ended).rejects.toThrow('The disk is full.')
  expect(failing.last()).toBe(seen[0])
})

test('loses and doubles no event, wherever a connection breaks or repeats', async () => {
  const world = await worldWithTokens(4)
  await using network = await interceptingProxy(world.url)
  const histories = [1, 2, 3, 4].map((id) => world.client.history(id))
  const ids = (await Promise.all(histories)).flatMap(({ items }) => items.map(({ id }) => id))
  const text = ids
    .map((id) => `id: ${id}\nevent: mint\ndata: {"block":"${id.split('-')[0]}"}\n\n`)
    .join('')
  network.intercept(async ({ path }) => {
    const after = new URL(path, network.url).searchParams.get('after') ?? ''
    // Sends the last event again, as a server may.
    const from = after === 'start' ? 0 : text.indexOf(`id: ${after}`)
    const body = text.slice(from)
    const cutAt = Math.min(body.length, 90 + 23 * network.requests.length)
    const headers = { 'content-type': 'text/event-stream' }
    return { status: 200, headers, body, ...(cutAt < body.length ? { cutAt } : {}) }
  })
  const seen: string[] = []
  const watch = world.clientAt({ url: network.url }).watch({
    after: 'start',
    onEvent: ({ id }) => {
      seen.push(id)
      if (id === ids.at(-1)) void watch.stop()
    },
  })
  await watch.ended
  expect(seen).toEqual(ids)
  expect(network.requests.length).toBeGreaterThan(3)
})

test('an event comes again exactly when a reorganisation made it void', async () => {
  const entry = fc.record({ block: fc.integer({ min: 0, max: 4 }), isVoiding: fc.boolean() })
  const property = fc.asyncProperty(fc.array(entry), async (entries) => {
    const sent = entries.map(({ block, isVoiding }) => ({
      id: `${block}-0-a`,
      block: `${block}`,
      kind: isVoiding ? 'reorganised' : 'mint',
    })) as readonly StreamEvent[]
    const seen: StreamEvent[] = []
    const watch = createWatch(async function* () {
      yield* sent
    })({ onEvent: (event) => void seen.push(event) })
    await watch.ended
    const expected = sent.filter(({ kind, block }, at) => {
      const before = sent.slice(0, at)
      const isVoid = (it: StreamEvent) =>
        it.kind === 'reorganised' && Number(it.block) <= Number(block)
      const since = before.slice(before.findLastIndex(isVoid) + 1)
      return kind === 'reorganised' || !since.some((it) => it.kind === kind && it.block === block)
    })
    expect(seen).toEqual(expected)
  })
  await fc.assert(property)
})

describe('a connection', () => {
  test('that is silent is opened anew', async () => {
    const { clientAt } = await openClientHarness()
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      if (requests > 2) response.write('id: 1-0-a\nevent: mint\ndata: {"block":"1"}\n\n')
    })
    const { url, close } = await listenOnLoopback(server)
    const watch = clientAt({ url }).watch({ idleTimeout: 100, onEvent: () => void watch.stop() })
    await watch.ended
    expect(requests).toBe(3)
    server.closeAllConnections()
    await close()
  })

  test('is waited for, also the first one, and an abort ends that', async () => {
    const { clientAt, timers } = await openClientHarness()
    const abort = new AbortController()
    let waits = 0
    const wait = async (milliseconds: number, signal?: AbortSignal) => {
      waits += 1
      expect(milliseconds).toBeLessThanOrEqual(30_000)
      if (waits === 20) abort.abort()
      signal?.throwIfAborted()
    }
    const client = clientAt({ url: 'http://127.0.0.1:1', timers: { ...timers, wait } })
    await client.watch({ onEvent: () => undefined, signal: abort.signal }).ended
    expect(waits).toBe(20)
  })

  test('that the server refuses ends the watch', async () => {
    const { client } = await openClientHarness()
    const { ended } = client.watch({ after: 'nonsense', onEvent: () => undefined })
    await expect(ended).rejects.toMatchObject({ code: 'request/malformed' })
  })
})

test.each([
  ['has no block', 'id: 1-0-a\nevent: mint\ndata: {}\n\n'],
  ['has a block that is no number', 'id: 1-0-a\nevent: mint\ndata: {"block":{}}\n\n'],
  ['is not JSON', 'id: 1-0-a\nevent: mint\ndata: {\n\n'],
  ['is nothing', 'id: 1-0-a\nevent: mint\ndata: null\n\n'],
  ['never ends', `id: ${'1'.repeat(2 ** 20)}`],
])('an event that %s ends a watch with client/bad-answer', async (_, text) => {
  const { clientAt } = await openClientHarness()
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
  })
  const { url, close } = await listenOnLoopback(server)
  const seen: unknown[] = []
  const watch = clientAt({ url }).watch({ onEvent: (event) => void seen.push(event) })
  await expect(watch.ended).rejects.toMatchObject({ code: 'client/bad-answer' })
  expect(seen).toEqual([])
  server.closeAllConnections()
  await close()
})
