import { expect, test } from 'vitest'
import { type ClientHarness, openClientHarness } from '../../test/client-harness.ts'
import { interceptingProxy } from '../../test/intercepting-proxy.ts'
import { memory } from '../../test/server-harness.ts'
import type { EventsQuery } from './requests.ts'
import type { StreamEvent } from './responses.ts'

/** Reads the first events of a stream. */
async function take(
  { client }: Pick<ClientHarness, 'client'>,
  count: number,
  query: EventsQuery = { after: 'start' },
): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of client.events(query)) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

/** Creates a world with some minted tokens. */
async function worldWithTokens(count: number) {
  const world = await openClientHarness()
  for (let index = 0; index < count; index += 1) await world.client.snapshot(memory)
  return world
}

test('yields the same events as the histories', async () => {
  const world = await worldWithTokens(2)
  const histories = await Promise.all(['1', '2'].map((id) => world.client.history(id)))
  const items = histories.flatMap((it) => it.items)
  expect(items).not.toEqual([])
  expect(await take(world, items.length)).toEqual(items)
})

test('yields only events that match the filters', async () => {
  const world = await worldWithTokens(3)
  const query = { after: 'start', tokenId: 2n, kind: ['mint', 'sale'] } as const
  expect(await take(world, 1, query)).toMatchObject([{ kind: 'mint', tokenId: '2' }])
})

test('resumes without gaps, wherever and however often the connection breaks', async () => {
  const world = await worldWithTokens(4)
  const count = (await Promise.all([1, 2, 3, 4].map((id) => world.client.history(id)))).flatMap(
    (it) => it.items,
  ).length
  const whole = await take(world, count)
  const text = await readStream(world.url, whole)
  await using network = await interceptingProxy(world.url)
  // Each connection yields a little more than the one before, and breaks.
  network.intercept(async ({ path }) => {
    const after = new URL(path, network.url).searchParams.get('after') ?? ''
    const rest = text.slice(text.indexOf('\n\n', text.indexOf(`id: ${after}`)) + 2)
    const body = after === 'start' ? text : rest
    const headers = { 'content-type': 'text/event-stream' }
    const cutAt = Math.min(body.length - 1, 100 + 37 * network.requests.length)
    // The last connection is not cut.
    return network.requests.length > 40
      ? { status: 200, headers, body }
      : { status: 200, headers, body, cutAt }
  })
  const broken = { client: world.clientAt({ url: network.url }) }
  expect(await take(broken, count)).toEqual(whole)
  expect(network.requests.length).toBeGreaterThan(3)
})

/** Reads the raw stream of some events. */
function readStream(url: string, events: readonly StreamEvent[]): Promise<string> {
  const last = `id: ${events.at(-1)?.id}\nevent`
  return readUntil(`${url}/api/events?after=start`, (text) => text.includes(last))
}

/** Reads a raw stream until the text is complete. */
async function readUntil(url: string, isComplete: (text: string) => boolean): Promise<string> {
  const stop = new AbortController()
  const { body } = await fetch(url, { signal: stop.signal })
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.endsWith('\n\n') && isComplete(text)) break
  }
  stop.abort()
  return text
}

test('misses no event when the connection breaks before the first one', async () => {
  const world = await worldWithTokens(1)
  await using network = await interceptingProxy(world.url)
  network.intercept(async ({ path }) => {
    const isFirst = network.requests.length === 1
    const isComplete = (text: string) => isFirst || text.includes('event: mint')
    const body = await readUntil(`${world.url}${path}`, isComplete)
    if (isFirst) await world.client.snapshot(memory)
    return { status: 200, headers: {}, body }
  })
  const listener = { client: world.clientAt({ url: network.url }) }
  const [event] = await take(listener, 1, { kind: ['mint'] })
  expect(event).toMatchObject({ kind: 'mint', tokenId: '2' })
})

test('yields the notice of a reorganisation', async () => {
  const world = await worldWithTokens(1)
  await using network = await interceptingProxy(world.url)
  const body = 'id: 3-0-00000000\nevent: reorganised\ndata: {"block":"3"}\n\n'
  network.intercept(async () => ({ status: 200, headers: {}, body }))
  const reorganised = { id: '3-0-00000000', kind: 'reorganised', block: '3' }
  expect(await take({ client: world.clientAt({ url: network.url }) }, 1)).toEqual([reorganised])
})

test('gives up on a server that never answered, and waits for one that did', async () => {
  const world = await worldWithTokens(2)
  await using network = await interceptingProxy(world.url)
  network.intercept(async () => undefined)
  const client = world.clientAt({ url: network.url })
  await expect(client.events().next()).rejects.toMatchObject({ code: 'client/unreachable' })
  expect(network.requests).toHaveLength(4)

  const text = await readStream(world.url, await take(world, 2))
  const cutAt = text.indexOf('\n\n', text.indexOf('id: ')) + 2
  network.intercept(async () => {
    if (network.requests.length === 5) return { status: 200, headers: {}, body: text, cutAt }
    return network.requests.length < 30
      ? undefined
      : { status: 200, headers: {}, body: text.slice(cutAt) }
  })
  const events = await take({ client }, 2)
  expect(events).toEqual(await take(world, 2))
  expect(network.requests.length).toBe(30)
})

test('fails at once for a response that is not an event stream', async () => {
  const world = await openClientHarness()
  await using network = await interceptingProxy(world.url)
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  network.intercept(async () => ({ status: 200, headers, body: '<p>Welcome</p>' }))
  const stop = new AbortController()
  // Ends an endless loop of retries.
  const wait = async () => {
    if (network.requests.length > 9) stop.abort()
  }
  const client = world.clientAt({ url: network.url, timers: { ...world.timers, wait } })
  await expect(client.events({}, { signal: stop.signal }).next()).rejects.toMatchObject({
    code: 'client/bad-answer',
    facts: { problem: 'it is text/html; charset=utf-8 and not an event stream' },
    status: 200,
  })
  expect(network.requests).toHaveLength(1)
})

test('fails at once for an invalid query', async () => {
  const { client } = await openClientHarness()
  const refused = { code: 'request/malformed', status: 400 }
  await expect(client.events({ after: 'nonsense' }).next()).rejects.toMatchObject(refused)
})

test('closes the connection when the iteration ends', async () => {
  const world = await openClientHarness({}, { streams: { most: 1 } })
  for (let index = 0; index < 3; index += 1) {
    await world.client.snapshot(memory)
    await take(world, 1)
  }
  const stop = new AbortController()
  const listening = world.client.events({}, { signal: stop.signal }).next()
  stop.abort()
  await expect(listening).rejects.toMatchObject({ code: 'client/aborted' })
  expect(await take(world, 1)).toHaveLength(1)
})
