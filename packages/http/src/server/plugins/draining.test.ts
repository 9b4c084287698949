import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { BlobStore } from '@heirloom/core'
import { expect, test } from 'vitest'
import { memory, openWorld } from '../../../test/server-harness.ts'

/** A store whose writes wait until they are let go. */
function gated() {
  const events = new EventEmitter()
  const opened = once(events, 'open')
  const storeThrough = (store: BlobStore): BlobStore => ({
    ...store,
    put: async (bytes, headLength) => {
      events.emit('started')
      await opened
      return store.put(bytes, headLength)
    },
  })
  return { storeThrough, started: once(events, 'started'), open: () => events.emit('open') }
}

async function listening(storeThrough?: (store: BlobStore) => BlobStore) {
  const world = openWorld(storeThrough === undefined ? {} : { storeThrough })
  const events = new EventEmitter()
  const stopping = once(events, 'stopping')
  world.server.addHook('preClose', async () => void events.emit('stopping'))
  await world.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = world.server.server.address() as { port: number }
  return { world, port, stopping }
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const ask = (port: number, method: string, path: string, body = '') =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

async function textUntilEnd(socket: Socket): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('a snapshot under way gets its 201 and its token, whoever else hangs on', async () => {
  const { storeThrough, started, open } = gated()
  const { world, port, stopping } = await listening(storeThrough)
  const silent = await opened(port)
  const silentClosed = once(silent.resume(), 'close')
  const asking = await opened(port)
  const answered = textUntilEnd(asking)
  asking.write(ask(port, 'POST', '/api/memory/snapshot', JSON.stringify(memory)))
  await started

  const closed = world.server.close()
  await stopping
  // The system may still have taken the connection in; then it is told so, or reset.
  const late = fetch(`http://127.0.0.1:${port}/livez`)
  expect([503, 'refused']).toContain(
    await late.then(
      (it) => it.status,
      () => 'refused',
    ),
  )
  open()

  const reply = await answered
  await closed
  expect(reply).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  expect(reply).toMatch(/\r\nconnection: close\r\n/i)
  expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toMatchObject({ tokenId: '1' })
  expect((await world.state()).tokens).toHaveLength(1)
  await silentClosed
})

test('a request that arrives on an open connection afterwards is told that the server stops', async () => {
  const { storeThrough, started, open } = gated()
  const { world, port, stopping } = await listening(storeThrough)
  const asking = await opened(port)
  const late = await opened(port)
  const answers = [textUntilEnd(asking), textUntilEnd(late)] as const
  // Under way until the rest of it arrives, so that its connection outlives the stop.
  const head = ask(port, 'GET', '/livez')
  late.write(head.slice(0, 10))
  asking.write(ask(port, 'POST', '/api/memory/snapshot', JSON.stringify(memory)))
  await started

  const closed = world.server.close()
  await stopping
  late.write(head.slice(10))
  const reply = await answers[1]
  open()
  await Promise.all([closed, answers[0]])
  expect(reply).toMatch(/^HTTP\/1\.1 503 /)
  expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toMatchObject({
    code: 'service/stopping',
    retryable: true,
  })
})

test('a server that nobody asks closes at once, whoever is connected', async () => {
  const { world, port } = await listening()
  const silent = await opened(port)
  const silentClosed = once(silent.resume(), 'close')
  await world.server.close()
  await silentClosed
})

test('a snapshot whose client is gone is carried out before the server is closed', async () => {
  const { storeThrough, started, open } = gated()
  const { world, port } = await listening(storeThrough)
  const asking = await opened(port)
  asking.write(ask(port, 'POST', '/api/memory/snapshot', JSON.stringify(memory)))
  await started
  asking.destroy()

  const order: string[] = []
  const disconnected = once(world.server.server, 'close')
  const closed = world.server.close().then(() => order.push('closed'))
  await disconnected
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  order.push('let go')
  open()
  await closed
  expect(order).toEqual(['let go', 'closed'])
  expect((await world.state()).tokens).toHaveLength(1)
})

test('a path that is refused before any hook does not keep the server from closing', async () => {
  const { world, port } = await listening()
  await opened(port)
  const reply = await fetch(`http://127.0.0.1:${port}/api/memory/%FF/info`)
  expect(reply.status).toBe(400)
  await world.server.close()
})
