import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Catalogue } from '@heirloom/core'
import { memoryService, nobody } from '@heirloom/core'
import { app } from '@heirloom/http'
import {
  memoryBlobStore,
  memoryCatalogue,
  memoryChain,
  memoryCipher,
  memoryLedger,
  stoppedClock,
} from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Browsing } from '../../packages/http/src/server/app.ts'
import { type EventHistory, eventHistory, idsOf } from '../harness/events/event-history.ts'
import { newSubscriber, subscribe } from '../harness/events/event-source.ts'

async function serve(
  { catalogue }: Pick<EventHistory, 'catalogue'>,
  streams: Browsing['streams'] = {},
) {
  const clock = stoppedClock()
  const ledger = memoryLedger({ clock })
  const parts = { blobStore: memoryBlobStore(), cipher: memoryCipher(), clock, ledger }
  const whole: Catalogue = { ...memoryCatalogue({ chain: memoryChain({ clock }) }), ...catalogue }
  const integrity = async () => ({ present: false, bytes: undefined, matches: false })
  const server = app({
    service: memoryService(parts),
    config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 1024 },
    deployment: {
      chainId: 1,
      registry: nobody,
      marketplace: nobody,
      agent: nobody,
      forwarder: nobody,
      depositCode: nobody,
    },
    readiness: { chain: async () => undefined, storage: async () => undefined },
    browsing: { catalogue: whole, clock, integrity, streams },
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, url, close: () => server.close() }
}

async function openServer(history: EventHistory, streams?: Browsing['streams']) {
  const harness = await serve(history, streams)
  onTestFinished(() => harness.close().then(() => undefined))
  return harness
}

const mining = (events: number) => (history: EventHistory) => history.mine(events)
const undoing = (blocks: number) => (history: EventHistory) => history.undo(blocks)
const restoring = (history: EventHistory) => history.restore()
const step = fc.oneof(
  { weight: 3, arbitrary: fc.nat(4).map(mining) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map(undoing) },
  { weight: 1, arbitrary: fc.constant(restoring) },
)
/** Changes before a client connects, and how many events it receives before it disconnects. */
const connection = fc.record({ steps: fc.array(step), receives: fc.integer({ min: 1, max: 6 }) })

describe('/api/events', () => {
  test('sends a client that reconnects every event once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(connection), async (connections) => {
        const history = eventHistory()
        const { url, close } = await serve(history)
        const subscriber = newSubscriber()
        const source = `${url}/api/events?after=start`
        for (const { steps, receives } of connections) {
          for (const change of steps) change(history)
          history.mine(1)
          const until = subscriber.received + receives
          await subscribe(
            source,
            subscriber,
            ({ received, known }) => received >= until || isUpToDate(known, history),
          )
        }
        history.mine(1)
        await subscribe(source, subscriber, ({ known }) => isUpToDate(known, history))
        expect(idsOf(subscriber.known)).toEqual(idsOf(history.entries()))
        await close()
      }),
      { numRuns: 40 },
    )
  })

  const isUpToDate = (known: readonly { readonly id: string }[], history: EventHistory) =>
    known.at(-1)?.id === history.entries().at(-1)?.id

  test('sends the events of undone blocks again when the blocks are restored', async () => {
    const history = eventHistory()
    const { url } = await openServer(history)
    for (let block = 0; block < 3; block++) history.mine(2)
    const before = idsOf(history.entries())
    const subscriber = newSubscriber()
    const changes = [() => history.undo(2), () => history.restore()]
    const known: string[][] = []
    await subscribe(`${url}/api/events?after=start`, subscriber, (it) => {
      // It receives six events, a reorganisation that undoes four of them, and those four again.
      if (![6, 7, 11].includes(it.received)) return false
      known.push(idsOf(it.known))
      changes.shift()?.()
      return it.received === 11
    })
    expect(known).toEqual([before, before.slice(0, 2), before])
  })

  test('starts with the next event, and sends only what the query selects', async () => {
    const history = eventHistory()
    const { url } = await openServer(history)
    history.mine(3)
    const subscriber = newSubscriber()
    const subscription = subscribe(
      `${url}/api/events?kind=card&tokenId=1`,
      subscriber,
      ({ received }) => received === 2,
    )
    await history.polled(1)
    history.mine(5)
    history.mine(7)
    await subscription
    expect(idsOf(subscriber.known)).toEqual(['2-3-00000002', '3-3-00000003'])
  })

  test.each([
    'after=1',
    'after=01-0-00000000',
    'after=',
    'after=start&after=start',
    'kind=purchase',
    'kind=sale,',
    'tokenId=01',
    'token=1',
  ])('refuses %s', async (query) => {
    const { server } = await openServer(eventHistory())
    const reply = await server.inject(`/api/events?${query}`)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
  })

  test('refuses an invalid last event id', async () => {
    const { server } = await openServer(eventHistory())
    const headers = { 'last-event-id': 'x' }
    const reply = await server.inject({ url: '/api/events', headers })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
  })

  test('keeps an idle stream alive, and ends it cleanly when the server stops', async () => {
    const { url, close } = await openServer(eventHistory(), { heartbeat: 5 })
    const response = await fetch(`${url}/api/events`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    let text = ''
    let closed: Promise<unknown> | undefined
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      if (text.split(':\n\n').length > 3) closed ??= close()
    }
    expect(text).toMatch(/^retry: 2000\n\n(:\n\n)+$/)
    await closed
  })

  test('limits the number of streams, and accepts another when one has ended', async () => {
    const counts: number[] = []
    let changed = Promise.withResolvers<void>()
    const observe = (open: number) => {
      counts.push(open)
      changed.resolve()
      changed = Promise.withResolvers()
    }
    const { url, server } = await openServer(eventHistory(), { most: 2, observe })
    const disconnect = new AbortController()
    await fetch(`${url}/api/events`, { signal: disconnect.signal })
    await fetch(`${url}/api/events`)
    const busy = await server.inject('/api/events')
    expect([busy.statusCode, busy.json().code, busy.json().retryable]).toEqual([
      503,
      'service/busy',
      true,
    ])
    const ended = changed.promise
    disconnect.abort()
    await ended
    expect((await fetch(`${url}/api/events`)).status).toBe(200)
    expect(counts).toEqual([1, 2, 1, 2])
  })

  test('reads old events for one stream at a time, a page each', async () => {
    const history = eventHistory()
    for (let block = 0; block < 5; block++) history.mine(100)
    let [underWay, most] = [0, 0]
    const { eventsAfter } = history.catalogue
    const catalogue: EventHistory['catalogue'] = {
      ...history.catalogue,
      eventsAfter: async (after, limit) => {
        most = Math.max(most, ++underWay)
        await setImmediate()
        underWay -= 1
        return eventsAfter(after, limit)
      },
    }
    const { url } = await openServer({ ...history, catalogue })
    const subscribers = Array.from({ length: 20 }, newSubscriber)
    const whole = ({ received }: { readonly received: number }) => received === 500
    const source = `${url}/api/events?after=start`
    await Promise.all(subscribers.map((subscriber) => subscribe(source, subscriber, whole)))
    for (const { known } of subscribers) expect(idsOf(known)).toEqual(idsOf(history.entries()))
    expect(most).toBe(1)
  })

  test('disconnects a client that reads nothing, and buffers no more than a page for it', async () => {
    const history = eventHistory()
    for (let block = 0; block < 200; block++) history.mine(100)
    const reads: unknown[] = []
    const { eventsAfter } = history.catalogue
    const catalogue: EventHistory['catalogue'] = {
      ...history.catalogue,
      eventsAfter: (after, limit) => {
        reads.push(after)
        return eventsAfter(after, limit)
      },
    }
    const { promise: disconnected, resolve } = Promise.withResolvers<void>()
    const observe = (open: number) => {
      if (open === 0) resolve()
    }
    const { url } = await openServer({ ...history, catalogue }, { patience: 50, observe })
    const { port } = new URL(url)
    const socket = connect({ port: Number(port), host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(`GET /api/events?after=start HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    await disconnected
    expect(reads.length).toBeLessThan(200)
    const ended = once(socket, 'close')
    socket.resume()
    await ended
  })
})
