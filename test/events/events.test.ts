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
import { listen, newListener } from '../harness/events/event-source.ts'
import { type Happenings, happenings, idsOf } from '../harness/events/event-history.ts'

async function serving(
  { catalogue }: Pick<Happenings, 'catalogue'>,
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
    deployment: { chainId: 1, registry: nobody, marketplace: nobody, agent: nobody },
    readiness: { chain: async () => undefined, storage: async () => undefined },
    browsing: { catalogue: whole, clock, integrity, streams },
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, url, close: () => server.close() }
}

async function opened(course: Happenings, streams?: Browsing['streams']) {
  const world = await serving(course, streams)
  onTestFinished(() => world.close().then(() => undefined))
  return world
}

const mining = (events: number) => (course: Happenings) => course.mine(events)
const undoing = (blocks: number) => (course: Happenings) => course.undo(blocks)
const restoring = (course: Happenings) => course.restore()
const step = fc.oneof(
  { weight: 3, arbitrary: fc.nat(4).map(mining) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map(undoing) },
  { weight: 1, arbitrary: fc.constant(restoring) },
)
/** What happens while a client listens, and how much it hears before it is cut off. */
const stretch = fc.record({ steps: fc.array(step), hears: fc.integer({ min: 1, max: 6 }) })

describe('/api/events', () => {
  test('tells a client that comes and goes every event once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stretch), async (stretches) => {
        const course = happenings()
        const { url, close } = await serving(course)
        const listener = newListener()
        const source = `${url}/api/events?after=start`
        for (const { steps, hears } of stretches) {
          for (const act of steps) act(course)
          course.mine(1)
          const until = listener.heard + hears
          await listen(
            source,
            listener,
            ({ heard, known }) => heard >= until || isUpToDate(known, course),
          )
        }
        course.mine(1)
        await listen(source, listener, ({ known }) => isUpToDate(known, course))
        expect(idsOf(listener.known)).toEqual(idsOf(course.entries()))
        await close()
      }),
      { numRuns: 40 },
    )
  })

  const isUpToDate = (known: readonly { readonly id: string }[], course: Happenings) =>
    known.at(-1)?.id === course.entries().at(-1)?.id

  test('tells again of blocks that were undone and come back unchanged', async () => {
    const course = happenings()
    const { url } = await opened(course)
    for (let block = 0; block < 3; block++) course.mine(2)
    const before = idsOf(course.entries())
    const listener = newListener()
    const acts = [() => course.undo(2), () => course.restore()]
    const known: string[][] = []
    await listen(`${url}/api/events?after=start`, listener, (it) => {
      // It hears of six events, that four of them are gone, and of those four again.
      if (![6, 7, 11].includes(it.heard)) return false
      known.push(idsOf(it.known))
      acts.shift()?.()
      return it.heard === 11
    })
    expect(known).toEqual([before, before.slice(0, 2), before])
  })

  test('begins with what comes next, and tells only what it is asked for', async () => {
    const course = happenings()
    const { url } = await opened(course)
    course.mine(3)
    const listener = newListener()
    const listening = listen(
      `${url}/api/events?kind=card&tokenId=1`,
      listener,
      ({ heard }) => heard === 2,
    )
    await course.listened(1)
    course.mine(5)
    course.mine(7)
    await listening
    expect(idsOf(listener.known)).toEqual(['2-3-00000002', '3-3-00000003'])
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
    const { server } = await opened(happenings())
    const reply = await server.inject(`/api/events?${query}`)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
  })

  test('refuses a last event that is none', async () => {
    const { server } = await opened(happenings())
    const headers = { 'last-event-id': 'x' }
    const reply = await server.inject({ url: '/api/events', headers })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
  })

  test('keeps a silent stream alive, and ends it in good order when the server stops', async () => {
    const { url, close } = await opened(happenings(), { heartbeat: 5 })
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

  test('keeps a bounded number of streams, and takes another when one has gone', async () => {
    const counts: number[] = []
    let changed = Promise.withResolvers<void>()
    const observe = (open: number) => {
      counts.push(open)
      changed.resolve()
      changed = Promise.withResolvers()
    }
    const { url, server } = await opened(happenings(), { most: 2, observe })
    const gone = new AbortController()
    await fetch(`${url}/api/events`, { signal: gone.signal })
    await fetch(`${url}/api/events`)
    const busy = await server.inject('/api/events')
    expect([busy.statusCode, busy.json().code, busy.json().retryable]).toEqual([
      503,
      'service/busy',
      true,
    ])
    const left = changed.promise
    gone.abort()
    await left
    expect((await fetch(`${url}/api/events`)).status).toBe(200)
    expect(counts).toEqual([1, 2, 1, 2])
  })

  test('reads the old events of many streams a page at a time', async () => {
    const course = happenings()
    for (let block = 0; block < 5; block++) course.mine(100)
    let [underWay, most] = [0, 0]
    const { happened } = course.catalogue
    const catalogue: Happenings['catalogue'] = {
      ...course.catalogue,
      happened: async (after, limit) => {
        most = Math.max(most, ++underWay)
        await setImmediate()
        underWay -= 1
        return happened(after, limit)
      },
    }
    const { url } = await opened({ ...course, catalogue })
    const listeners = Array.from({ length: 20 }, newListener)
    const whole = ({ heard }: { readonly heard: number }) => heard === 500
    const source = `${url}/api/events?after=start`
    await Promise.all(listeners.map((listener) => listen(source, listener, whole)))
    for (const { known } of listeners) expect(idsOf(known)).toEqual(idsOf(course.entries()))
    expect(most).toBe(1)
  })

  test('cuts off who reads nothing, and holds but a page for them', async () => {
    const course = happenings()
    for (let block = 0; block < 200; block++) course.mine(100)
    const asked: unknown[] = []
    const { happened } = course.catalogue
    const catalogue: Happenings['catalogue'] = {
      ...course.catalogue,
      happened: (after, limit) => {
        asked.push(after)
        return happened(after, limit)
      },
    }
    const { promise: cutOff, resolve } = Promise.withResolvers<void>()
    const observe = (open: number) => {
      if (open === 0) resolve()
    }
    const { url } = await opened({ ...course, catalogue }, { patience: 50, observe })
    const { port } = new URL(url)
    const socket = connect({ port: Number(port), host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(`GET /api/events?after=start HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    await cutOff
    expect(asked.length).toBeLessThan(200)
    const ended = once(socket, 'close')
    socket.resume()
    await ended
  })
})
