import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  agent,
  mintToken,
  openHarness,
  proofOf,
  secondsOf,
} from '../../packages/http/test/server-harness.ts'
import { longestWait } from '../tier.ts'

const mebibyte = 2 ** 20
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.()
})

type Config = NonNullable<NonNullable<Parameters<typeof openHarness>[0]>['config']>

/** Starts a server with bounds, and snapshots a memory of `length` bytes. */
async function startServer(bounds: Config['bounds'], length: number) {
  const world = openHarness({ config: { bounds, bodyLimit: 64 * mebibyte } })
  cleanups.push(() => world.server.close())
  const { port } = new URL(await world.server.listen({ host: '127.0.0.1', port: 0 }))
  const id = await mintToken(world, { data: { text: 'x'.repeat(length) } })
  return { world, id, port: Number(port) }
}

type BoundedServer = Awaited<ReturnType<typeof startServer>>

/** Requests a memory on a new connection, and reads nothing. */
async function requestMemory({ world, id, port }: BoundedServer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  cleanups.push(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  const headers = await proofOf(agent, id, secondsOf(world))
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`GET /api/memory/${id} HTTP/1.1\r\n${head}\r\n`)
  return socket
}

/** Reads only the status of the response on a connection. */
async function readStatus(socket: Socket): Promise<number> {
  let chunk: Buffer | null = socket.read(12)
  while (chunk === null) {
    await once(socket, 'readable')
    chunk = socket.read(12)
  }
  return Number(chunk.toString().slice(9))
}

describe('a reader that reads nothing', () => {
  test('is one of few whom large memories are held for; the others are refused', async () => {
    // More than the buffers of two sockets hold, so that no download ends unread.
    const length = 16 * mebibyte
    const server = await startServer(
      { downloadBytes: 80 * mebibyte, slowReaderSeconds: 600 },
      length,
    )
    const statuses: number[] = []
    for (let reader = 0; reader < 8; reader++)
      statuses.push(await readStatus(await requestMemory(server)))
    // One client gets half of the 80 MiB: two downloads of a little over 16 MiB fit into 40 MiB.
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429, 429, 429])
  })

  test('is disconnected after a while, which frees its share', async () => {
    const length = 4 * mebibyte
    const server = await startServer({ downloadBytes: 8 * mebibyte, slowReaderSeconds: 2 }, length)
    const accepted: Socket[] = []
    server.world.server.server.on('connection', (socket) => accepted.push(socket))
    // Both at once: on a busy machine the first would lose its share before the other arrives.
    const readers = await Promise.all([1, 2].map(() => requestMemory(server)))
    const statuses = await Promise.all(readers.map(readStatus))
    expect(statuses.toSorted()).toEqual([200, 429])
    const { localPort } = readers[statuses.indexOf(200)] as Socket
    const served = accepted.find(({ remotePort }) => remotePort === localPort)
    await until(async () => served?.destroyed === true)
    expect(await readStatus(await requestMemory(server))).toBe(200)
  })
})

test('a slow reader gets every byte', async () => {
  const length = 2 * mebibyte
  const server = await startServer({ downloadBytes: 8 * mebibyte, slowReaderSeconds: 1 }, length)
  const socket = await requestMemory(server)
  let taken = 0
  const started = performance.now()
  while (taken <= length) {
    // Not more at once, so that the pauses are as many on every machine.
    const chunk = socket.read(Math.min(32_768, socket.readableLength)) as Buffer | null
    taken += chunk?.length ?? 0
    if (chunk === null) await once(socket, 'readable')
    // The whole download takes longer than the timeout, but no single pause does.
    const until = performance.now() + 30
    while (performance.now() < until) await setImmediate()
  }
  expect(performance.now() - started).toBeGreaterThan(1000)
  expect(taken).toBeGreaterThan(length)
})

describe('connections', () => {
  test('of one client are closed beyond its limit, and accepted again when one has ended', async () => {
    const server = await startServer({ connectionsPerClient: 2 }, 10)
    const first = await requestMemory(server)
    expect([await readStatus(first), await readStatus(await requestMemory(server))]).toEqual([
      200, 200,
    ])
    const third = connect(server.port, '127.0.0.1')
    third.on('error', () => {})
    await once(third, 'close')
    first.destroy()
    await until(async () => (await connectionCount(server)) < 2)
    expect(await readStatus(await requestMemory(server))).toBe(200)
  })

  test('are closed beyond the limit of the server', async () => {
    const server = await startServer({ connections: 3 }, 10)
    const sockets = [
      await requestMemory(server),
      await requestMemory(server),
      await requestMemory(server),
    ]
    for (const socket of sockets) expect(await readStatus(socket)).toBe(200)
    const extra = connect(server.port, '127.0.0.1')
    extra.on('error', () => {})
    await once(extra, 'close')
    expect(await connectionCount(server)).toBe(3)
  })
})

/** Returns the number of connections of a server. */
const connectionCount = ({ world }: BoundedServer) =>
  new Promise<number>((resolve) => {
    world.server.server.getConnections((_, count) => resolve(count))
  })

test('a connection that sends requests and reads no responses is closed', async () => {
  const { world, port } = await startServer({}, 10)
  let handled = 0
  world.server.server.on('request', (_, response) => {
    response.once('finish', () => handled++)
  })
  const read = (more = '') => `GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${more}\r\n`
  const send = (requests: string) => {
    const socket = connect(port, '127.0.0.1').pause()
    cleanups.push(() => socket.destroy())
    socket.on('error', () => {})
    socket.write(requests)
    return socket
  }
  await once(send(read().repeat(1000)).resume(), 'close')
  expect(handled).toBeLessThanOrEqual(64)
  const before = handled
  const patient = send(`${read().repeat(63)}${read('connection: close\r\n')}`)
  expect((await text(patient)).split('HTTP/1.1 200').length - 1).toBe(64)
  expect(handled - before).toBe(64)
})

test('event streams of one client leave room for those of another', async () => {
  const world = openHarness({
    config: { bounds: { streamsPerClient: 5, trustProxy: ['loopback'] } },
    streams: { most: 10 },
  })
  cleanups.push(() => world.server.close())
  const url = await world.server.listen({ host: '127.0.0.1', port: 0 })
  const listen = async (client: string) => {
    const gone = new AbortController()
    cleanups.push(() => gone.abort())
    const headers = { 'x-forwarded-for': client }
    return fetch(`${url}/api/events`, { headers, signal: gone.signal })
  }
  for (let stream = 0; stream < 5; stream++) expect((await listen('203.0.113.9')).status).toBe(200)
  const refused = await listen('203.0.113.9')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await refused.json()).toMatchObject({ code: 'request/too-many', facts: { limit: 5 } })
  expect((await listen('203.0.113.10')).status).toBe(200)
})

test('reads of one client are computed two at a time, and those of another go on meanwhile', async () => {
  const world = openHarness({ config: { bounds: { trustProxy: ['loopback'] } } })
  cleanups.push(() => world.server.close())
  const { tokens } = world.catalogue
  const begun: (() => void)[] = []
  let isSlow = true
  const slow: typeof tokens = async (query) => {
    if (isSlow) await new Promise<void>((resolve) => begun.push(resolve))
    return tokens(query)
  }
  Object.assign(world.catalogue, { tokens: slow })
  const url = await world.server.listen({ host: '127.0.0.1', port: 0 })
  const goOn = () => {
    isSlow = false
    for (const go of begun) go()
  }
  cleanups.push(goOn)
  const read = async (client: string) =>
    (await fetch(`${url}/api/memory`, { headers: { 'x-forwarded-for': client } })).status
  const arrivals = counted(world.server.server, 'request')
  const flood = Array.from({ length: 40 }, () => read('203.0.113.9'))
  await until(async () => arrivals() === 40 && begun.length >= 2)
  const refused = await Promise.race(flood)
  const calm = read('203.0.113.10')
  await until(async () => begun.length >= 3)
  expect([refused, begun.length]).toEqual([429, 3])
  goOn()
  expect(await calm).toBe(200)
  const statuses = await Promise.all(flood)
  expect(statuses.filter((status) => status === 200)).toHaveLength(32)
})

/** Counts how often something is emitted. */
function counted(emitter: NodeJS.EventEmitter, name: string): () => number {
  let count = 0
  emitter.on(name, () => count++)
  return () => count
}

test('large bodies of one client leave room for those of another, and are counted while they arrive', async () => {
  const { world, port } = await startServer({ uploadBytes: 8 * mebibyte }, 10)
  const body = JSON.stringify({
    data: { text: 'x'.repeat(3 * mebibyte) },
    metadata: { category: 'research' },
  })
  const url = `http://127.0.0.1:${port}/api/memory/snapshot`
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const send = (chunked: boolean) =>
    new Promise<number>((resolve, reject) => {
      const sized = chunked ? {} : { 'content-length': `${body.length}` }
      const request = httpRequest(url, { method: 'POST', headers: { ...headers, ...sized } })
      request.on('response', (reply) => resolve(reply.resume().statusCode ?? 0))
      request.on('error', reject)
      request.end(body)
    })
  // A body counts from its announced length, before a byte of it has arrived.
  const announcedOnly = connect(port, '127.0.0.1')
  cleanups.push(() => announcedOnly.destroy())
  const announced = `content-type: application/json\r\ncontent-length: ${3 * mebibyte}`
  const arrived = once(world.server.server, 'request')
  announcedOnly.write(
    `POST /api/memory/snapshot HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${announced}\r\n\r\n`,
  )
  await arrived
  expect([await send(false), await send(true)]).toEqual([429, 429])
  announcedOnly.destroy()
  await until(async () => (await send(false)) === 201)
  expect(await send(true)).toBe(201)
})

/** Waits until a condition holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(holds, { interval: 20, timeout: longestWait })
}
