import { expect, test } from 'vitest'
import { type ClientHarness, openClientHarness } from '../../test/client-harness.ts'
import { interceptingProxy } from '../../test/intercepting-proxy.ts'
import { memory } from '../../test/server-harness.ts'
import type { EventsQuery } from './requests.ts'
import type { Heard } from './responses.ts'

/** Takes so many events. */
async function take(
  { client }: Pick<ClientHarness, 'client'>,
  count: number,
  query: EventsQuery = { after: 'start' },
): Promise<readonly Heard[]> {
  const events: Heard[] = []
  for await (const event of client.events(query)) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

/** A world in which some tokens were minted. */
async function minted(count: number) {
  const world = await openClientHarness()
  for (let index = 0; index < count; index += 1) await world.client.snapshot(memory)
  return world
}

test('tells what a history tells', async () => {
  const world = await minted(2)
  const histories = await Promise.all(['1', '2'].map((id) => world.client.history(id)))
  const items = histories.flatMap((it) => it.items)
  expect(items).not.toEqual([])
  expect(await take(world, items.length)).toEqual(items)
})

test('tells of what was asked for only', async () => {
  const world = await minted(3)
  const query = { after: 'start', tokenId: 2n, kind: ['mint', 'sale'] } as const
  expect(await take(world, 1, query)).toMatchObject([{ kind: 'mint', tokenId: '2' }])
})

test('goes on where it was, however often and wherever the connection breaks', async () => {
  const world = await minted(4)
  const count = (await Promise.all([1, 2, 3, 4].map((id) => world.client.history(id)))).flatMap(
    (it) => it.items,
  ).length
  const whole = await take(world, count)
  const text = await streamed(world.url, whole)
  await using network = await interceptingProxy(world.url)
  // Each connection tells a little more than the one before, and breaks.
  network.meddle(async ({ path }) => {
    const after = new URL(path, network.url).searchParams.get('after') ?? ''
    const rest = text.slice(text.indexOf('\n\n', text.indexOf(`id: ${after}`)) + 2)
    const body = after === 'start' ? text : rest
    const headers = { 'content-type': 'text/event-stream' }
    const cutAt = Math.min(body.length - 1, 100 + 37 * network.asked.length)
    // The last one ends as it should.
    return network.asked.length > 40
      ? { status: 200, headers, body }
      : { status: 200, headers, body, cutAt }
  })
  const broken = { client: world.clientAt({ url: network.url }) }
  expect(await take(broken, count)).toEqual(whole)
  expect(network.asked.length).toBeGreaterThan(3)
})

/** Returns what the server says of so many events. */
function streamed(url: string, events: readonly Heard[]): Promise<string> {
  const last = `id: ${events.at(-1)?.id}\nevent`
  return said(`${url}/api/events?after=start`, (text) => text.includes(last))
}

/** Returns what a stream says until it is enough. */
async function said(url: string, isEnough: (text: string) => boolean): Promise<string> {
  const gone = new AbortController()
  const { body } = await fetch(url, { signal: gone.signal })
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.endsWith('\n\n') && isEnough(text)) break
  }
  gone.abort()
  return text
}

test('misses nothing, even where the connection breaks before anything was heard', async () => {
  const world = await minted(1)
  await using network = await interceptingProxy(world.url)
  network.meddle(async ({ path }) => {
    const isFirst = network.asked.length === 1
    const isEnough = (text: string) => isFirst || text.includes('event: mint')
    const body = await said(`${world.url}${path}`, isEnough)
    if (isFirst) await world.client.snapshot(memory)
    return { status: 200, headers: {}, body }
  })
  const listener = { client: world.clientAt({ url: network.url }) }
  const [event] = await take(listener, 1, { kind: ['mint'] })
  expect(event).toMatchObject({ kind: 'mint', tokenId: '2' })
})

test('tells that something no longer stands', async () => {
  const world = await minted(1)
  await using network = await interceptingProxy(world.url)
  const body = 'id: 3-0-00000000\nevent: reorganised\ndata: {"block":"3"}\n\n'
  network.meddle(async () => ({ status: 200, headers: {}, body }))
  const reorganised = { id: '3-0-00000000', kind: 'reorganised', block: '3' }
  expect(await take({ client: world.clientAt({ url: network.url }) }, 1)).toEqual([reorganised])
})

test('a server that never answered is given up, one that did is waited for', async () => {
  const world = await minted(2)
  await using network = await interceptingProxy(world.url)
  network.meddle(async () => undefined)
  const client = world.clientAt({ url: network.url })
  await expect(client.events().next()).rejects.toMatchObject({ code: 'client/unreachable' })
  expect(network.asked).toHaveLength(4)

  const text = await streamed(world.url, await take(world, 2))
  const cutAt = text.indexOf('\n\n', text.indexOf('id: ')) + 2
  network.meddle(async () => {
    if (network.asked.length === 5) return { status: 200, headers: {}, body: text, cutAt }
    return network.asked.length < 30
      ? undefined
      : { status: 200, headers: {}, body: text.slice(cutAt) }
  })
  const events = await take({ client }, 2)
  expect(events).toEqual(await take(world, 2))
  expect(network.asked.length).toBe(30)
})

test('an answer that is no stream of events is told at once', async () => {
  const world = await openClientHarness()
  await using network = await interceptingProxy(world.url)
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  network.meddle(async () => ({ status: 200, headers, body: '<p>Welcome</p>' }))
  const stop = new AbortController()
  // Whoever would ask for ever is stopped.
  const wait = async () => {
    if (network.asked.length > 9) stop.abort()
  }
  const client = world.clientAt({ url: network.url, timers: { ...world.timers, wait } })
  await expect(client.events({}, { signal: stop.signal }).next()).rejects.toMatchObject({
    code: 'client/bad-answer',
    facts: { problem: 'it is text/html; charset=utf-8 and no stream of events' },
    status: 200,
  })
  expect(network.asked).toHaveLength(1)
})

test('what it may not hear is told at once', async () => {
  const { client } = await openClientHarness()
  const refused = { code: 'request/malformed', status: 400 }
  await expect(client.events({ after: 'nonsense' }).next()).rejects.toMatchObject(refused)
})

test('lets go of the connection when nobody listens any more', async () => {
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
