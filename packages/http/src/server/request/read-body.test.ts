import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { toSeconds } from '@heirloom/core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import {
  agent,
  memory,
  openHarness,
  post,
  proofOf,
  type ServerHarness,
} from '../../../test/server-harness.ts'
import { readBody } from './read-body.ts'

describe('readBody', () => {
  const chunks = fc.array(
    fc
      .oneof(fc.nat(50), fc.nat(200_000))
      .map((length) => Buffer.from(Array.from({ length }, (_, at) => at % 251))),
    { maxLength: 12 },
  )

  test('returns the bytes, announced or not, in a buffer of its own', () =>
    fc.assert(
      fc.asyncProperty(chunks, fc.boolean(), async (parts, isAnnounced) => {
        const whole = Buffer.concat(parts)
        const announced = isAnnounced ? whole.length : undefined
        const source = Readable.from(parts, { objectMode: false })
        const bytes = await readBody(source, { limit: whole.length, announced })
        expect(Buffer.compare(bytes, whole)).toBe(0)
        expect(parts.some(({ buffer }) => buffer === bytes.buffer)).toBe(false)
        for (const { buffer, length } of parts) expect(length).toBeLessThan(buffer.byteLength || 1)
      }),
      { numRuns: times(8, 30) },
    ))

  test('yields to the event loop while a long body arrives', async () => {
    let turns = 0
    let next = setImmediate(function count() {
      turns += 1
      next = setImmediate(count)
    })
    const source = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(65_536)))
    await readBody(source, { limit: 64 * 65_536 })
    clearImmediate(next)
    expect(turns).toBeGreaterThanOrEqual(15)
  })

  test('reads up to the limit and refuses more with `request/too-large`', async () => {
    const read = (length: number, announced?: number) =>
      readBody(Readable.from([Buffer.alloc(length)]), { limit: 100, announced })
    expect(await read(100)).toHaveLength(100)
    const refusal = { code: 'request/too-large', facts: { limit: 100 } }
    await expect(read(101)).rejects.toMatchObject(refusal)
    await expect(read(5, 101)).rejects.toMatchObject(refusal)
  })

  test('refuses another length than announced with `request/malformed`', async () => {
    for (const announced of [0, 9, 11]) {
      const source = Readable.from([Buffer.alloc(10)])
      await expect(readBody(source, { limit: 100, announced })).rejects.toMatchObject({
        code: 'request/malformed',
      })
    }
  })

  test('removes its listeners from a source that ends too early', async () => {
    const source = new PassThrough()
    const reading = readBody(source, { limit: 100, announced: 50 })
    source.write('half')
    source.destroy()
    await expect(reading).rejects.toMatchObject({ code: 'request/malformed' })
    for (const event of ['data', 'end', 'close']) expect(source.listenerCount(event)).toBe(0)
  })

  test('allocates memory for what arrives, not for what is announced', async () => {
    const before = process.memoryUsage().arrayBuffers
    const sources = Array.from({ length: 200 }, () => new PassThrough())
    const reading = sources.map((source) =>
      readBody(source, { limit: 2 ** 28, announced: 2 ** 28 }).catch(() => undefined),
    )
    for (const source of sources) source.write('a')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 25)
    for (const source of sources) source.destroy()
    await Promise.all(reading)
  })
})

const sha256 = 'x-content-hash'
const long = { ...memory, data: { noise: randomBytes(600_000).toString('base64') } }

describe('a long body', () => {
  const harness = openHarness()
  const now = toSeconds(harness.clock.now())

  test('is returned byte for byte, whatever the order of its members', async () => {
    const [data, metadata] = [JSON.stringify(long.data), JSON.stringify(long.metadata)]
    for (const body of [
      `{"data":${data},"metadata":${metadata}}`,
      ` { "metadata" : ${metadata} , "recipient":"${agent.address}", "data" : ${data} } `,
    ]) {
      const { tokenId } = (await post(harness, '/api/memory/snapshot', body)).json()
      const headers = await proofOf(agent, tokenId, now)
      const reply = await harness.server.inject({ url: `/api/memory/${tokenId}`, headers })
      expect(reply.body === `{"data":${data},"metadata":${metadata}}`).toBe(true)
      expect(reply.headers[sha256]).toMatch(/^0x/)
    }
  })

  test('has the fingerprint of its bytes', async () => {
    const key = { 'idempotency-key': 'long' }
    const first = await post(harness, '/api/memory/snapshot', long, key)
    expect((await post(harness, '/api/memory/snapshot', long, key)).rawPayload).toEqual(
      first.rawPayload,
    )
    const changed = await post(harness, '/api/memory/snapshot', `${JSON.stringify(long)} `, key)
    expect(changed.json().code).toBe('idempotency/key-reused')
  })

  test.each([
    ['json/malformed', (text: string) => `${text}x`],
    ['json/duplicate-member', (text: string) => `{"data":1,${text.slice(1)}`],
    ['json/too-deep', (text: string) => `{"a":${'['.repeat(1001)},${text.slice(1)}`],
    ['request/malformed', (text: string) => text.replace('"metadata"', '"other"')],
  ])('is refused with `%s`, like a short one', async (code, spoilt) => {
    const [one, other] = [memory, long].map((it) => spoilt(JSON.stringify(it)))
    const short = await post(harness, '/api/memory/snapshot', one)
    const reply = await post(harness, '/api/memory/snapshot', other)
    expect([reply.statusCode, reply.json().code]).toEqual([short.statusCode, code])
  })
})

describe('over sockets', () => {
  let harness: ServerHarness
  let port: number
  beforeEach(async () => {
    harness = openHarness({ config: { bodyLimit: 2 ** 28 } })
    port = Number(new URL(await harness.server.listen({ host: '127.0.0.1', port: 0 })).port)
  })
  afterEach(() => harness.server.close())

  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const snapshotHead = (length: number) =>
    `POST /api/memory/snapshot HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  const livez = () => fetch(`http://127.0.0.1:${port}/livez`).then(({ status }) => status)
  /** Writes bytes, and returns once the server has received the request. */
  const arrived = async (socket: Socket, bytes: Uint8Array | string) => {
    const [request] = (await Promise.all([
      once(harness.server.server, 'request'),
      new Promise((resolve) => socket.write(bytes, resolve)),
    ])) as [[import('node:http').IncomingMessage], unknown]
    return request[0]
  }

  test('a stalled upload delays no other request, and ends with its connection', async () => {
    const socket = await open()
    const request = await arrived(socket, `${snapshotHead(2 ** 28)}{"data":{`)
    expect(await livez()).toBe(200)
    const closed = new Promise((resolve) => request.once('close', resolve))
    socket.destroy()
    await closed
    expect(request.listenerCount('data')).toBe(0)
    expect((await harness.state()).tokens).toHaveLength(0)
  })

  test('a thousand idle connections and a hundred stalled uploads delay no other request', async () => {
    const idle = await Promise.all(Array.from({ length: 1000 }, open))
    const slow = await Promise.all(Array.from({ length: 100 }, open))
    for (const socket of slow) await arrived(socket, `${snapshotHead(2 ** 28)}{`)
    const reply = await fetch(`http://127.0.0.1:${port}/api/memory/snapshot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(long),
    })
    expect([reply.status, await livez()]).toEqual([201, 200])
    for (const socket of [...idle, ...slow]) socket.destroy()
  })

  test('a client that leaves during a download does no harm', async () => {
    const { tokenId } = (
      await post(harness, '/api/memory/snapshot', {
        ...memory,
        data: { noise: randomBytes(20_000_000).toString('hex') },
      })
    ).json()
    const headers = await proofOf(agent, tokenId, toSeconds(harness.clock.now()))
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = await open()
    const answering = once(harness.server.server, 'request')
    socket.write(
      `GET /api/memory/${tokenId} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`,
    )
    const [, response] = (await answering) as [unknown, import('node:http').ServerResponse]
    await once(socket, 'data')
    const closed = once(response, 'close')
    socket.destroy()
    await closed
    expect([response.writableFinished, await livez()]).toEqual([false, 200])
  })
})
