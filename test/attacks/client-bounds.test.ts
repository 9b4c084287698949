import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  agent,
  mintToken,
  openHarness,
  proofOf,
  type ServerHarness,
} from '../../packages/http/test/server-harness.ts'

const mebibyte = 2 ** 20
const closing: (() => unknown)[] = []
afterEach(async () => {
  while (closing.length > 0) await closing.pop()?.()
})

type Config = NonNullable<NonNullable<Parameters<typeof openHarness>[0]>['config']>

/** Opens a server that listens, with a memory of so many bytes. */
async function serving(bounds: Config['bounds'], length: number) {
  const world = openHarness({ config: { bounds, bodyLimit: 64 * mebibyte } })
  closing.push(() => world.server.close())
  const { port } = new URL(await world.server.listen({ host: '127.0.0.1', port: 0 }))
  const id = await mintToken(world, { data: { text: 'x'.repeat(length) } })
  return { world, id, port: Number(port) }
}

type Site = Awaited<ReturnType<typeof serving>>

/** Asks for a memory on a connection of its own, and reads nothing. */
async function ask({ world, id, port }: Site): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  closing.push(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  const headers = await proofOf(agent, id, secondsOf(world))
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`GET /api/memory/${id} HTTP/1.1\r\n${head}\r\n`)
  return socket
}

const secondsOf = ({ clock }: ServerHarness) => Math.floor(Number(clock.now()) / 1000)

/** Returns the status that a connection is answered with, and reads no more. */
async function statusOn(socket: Socket): Promise<number> {
  let chunk: Buffer | null = socket.read(12)
  while (chunk === null) {
    await once(socket, 'readable')
    chunk = socket.read(12)
  }
  return Number(chunk.toString().slice(9))
}

describe('a reader who takes nothing', () => {
  test('is one of few whom large memories are held for; the others are refused', async () => {
    const length = 4 * mebibyte
    const site = await serving({ downloadBytes: 20 * mebibyte, slowReaderSeconds: 60 }, length)
    const statuses: number[] = []
    for (let reader = 0; reader < 8; reader++) statuses.push(await statusOn(await ask(site)))
    // Half of the room is one client's: two of four mebibytes and more fit into ten.
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429, 429, 429])
  })

  test('is cut off after a while, and the room is free again', async () => {
    const length = 4 * mebibyte
    const site = await serving({ downloadBytes: 8 * mebibyte, slowReaderSeconds: 0.2 }, length)
    const accepted = once(site.world.server.server, 'connection')
    expect(await statusOn(await ask(site))).toBe(200)
    const [there] = await accepted
    const closed = once(there, 'close')
    expect(await statusOn(await ask(site))).toBe(429)
    await closed
    expect(await statusOn(await ask(site))).toBe(200)
  })
})

test('a reader who is slow but reads gets every byte', async () => {
  const length = 2 * mebibyte
  const site = await serving({ downloadBytes: 8 * mebibyte, slowReaderSeconds: 0.2 }, length)
  const socket = await ask(site)
  let taken = 0
  const started = performance.now()
  while (taken < length) {
    const chunk = socket.read() as Buffer | null
    taken += chunk?.length ?? 0
    if (chunk === null) await once(socket, 'readable')
    // Slower in all than the patience, yet never still for so long.
    const until = performance.now() + 15
    while (performance.now() < until) await setImmediate()
  }
  expect(performance.now() - started).toBeGreaterThan(300)
  expect(taken).toBeGreaterThan(length)
})

describe('connections', () => {
  test('of one network are closed beyond its share, and taken again when one has gone', async () => {
    const site = await serving({ connectionsPerClient: 2 }, 10)
    const first = await ask(site)
    expect([await statusOn(first), await statusOn(await ask(site))]).toEqual([200, 200])
    const third = connect(site.port, '127.0.0.1')
    third.on('error', () => {})
    await once(third, 'close')
    first.destroy()
    await until(async () => (await open(site)) < 2)
    expect(await statusOn(await ask(site))).toBe(200)
  })

  test('beyond what the server has in all are closed', async () => {
    const site = await serving({ connections: 3 }, 10)
    const sockets = [await ask(site), await ask(site), await ask(site)]
    for (const socket of sockets) expect(await statusOn(socket)).toBe(200)
    const next = connect(site.port, '127.0.0.1')
    next.on('error', () => {})
    await once(next, 'close')
    expect(await open(site)).toBe(3)
  })
})

/** Returns how many connections a server has. */
const open = ({ world }: Site) =>
  new Promise<number>((resolve) => {
    world.server.server.getConnections((_, count) => resolve(count))
  })

test('streams of events of one client leave room for those of another', async () => {
  const world = openHarness({
    ...{ config: { bounds: { streamsPerClient: 5, trustProxy: ['loopback'] } } },
    streams: { most: 10 },
  })
  closing.push(() => world.server.close())
  const url = await world.server.listen({ host: '127.0.0.1', port: 0 })
  const listen = async (client: string) => {
    const gone = new AbortController()
    closing.push(() => gone.abort())
    const headers = { 'x-forwarded-for': client }
    return fetch(`${url}/api/events`, { headers, signal: gone.signal })
  }
  for (let stream = 0; stream < 5; stream++) expect((await listen('203.0.113.9')).status).toBe(200)
  const refused = await listen('203.0.113.9')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await refused.json()).toMatchObject({ code: 'request/too-many', facts: { limit: 5 } })
  expect((await listen('203.0.113.10')).status).toBe(200)
})

test('large bodies of one client leave room for those of another, and are counted as they arrive', async () => {
  const { world, port } = await serving({ uploadBytes: 8 * mebibyte }, 10)
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
  // One that has announced all and sent nothing yet counts.
  const held = connect(port, '127.0.0.1')
  closing.push(() => held.destroy())
  const announced = `content-type: application/json\r\ncontent-length: ${3 * mebibyte}`
  const arrived = once(world.server.server, 'request')
  held.write(
    `POST /api/memory/snapshot HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${announced}\r\n\r\n`,
  )
  await arrived
  expect([await send(false), await send(true)]).toEqual([429, 429])
  held.destroy()
  await until(async () => (await send(false)) === 201)
  expect(await send(true)).toBe(201)
})

/** Resolves once something holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate()
}
