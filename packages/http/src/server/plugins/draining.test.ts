import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { BlobStore } from '@heirloom/core'
import { expect, test } from 'vitest'
import { memory, openHarness } from '../../../test/server-harness.ts'

/** Returns a blob store whose writes wait for a gate. */
function gatedStore() {
  const events = new EventEmitter()
  const openSocket = once(events, 'open')
  const storeThrough = (store: BlobStore): BlobStore => ({
    ...store,
    put: async (bytes, headLength) => {
      events.emit('started')
      await openSocket
      return store.put(bytes, headLength)
    },
  })
  return { storeThrough, started: once(events, 'started'), open: () => events.emit('open') }
}

async function startServer(storeThrough?: (store: BlobStore) => BlobStore) {
  const harness = openHarness(storeThrough === undefined ? {} : { storeThrough })
  const events = new EventEmitter()
  const stopping = once(events, 'stopping')
  harness.server.addHook('preClose', async () => void events.emit('stopping'))
  await harness.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = harness.server.server.address() as { port: number }
  return { harness, port, stopping }
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const requestText = (port: number, method: string, path: string, body = '') =>
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

test('a snapshot in progress completes with 201 and a token, also beside an idle connection', async () => {
  const { storeThrough, started, open } = gatedStore()
  const { harness, port, stopping } = await startServer(storeThrough)
  const silent = await openSocket(port)
  const silentClosed = once(silent.resume(), 'close')
  const client = await openSocket(port)
  const reading = textUntilEnd(client)
  client.write(requestText(port, 'POST', '/api/memory/snapshot', JSON.stringify(memory)))
  await started

  const closed = harness.server.close()
  await stopping
  // The system may still accept the connection; then the request is refused, or the connection reset.
  const late = fetch(`http://127.0.0.1:${port}/livez`)
  expect([503, 'refused']).toContain(
    await late.then(
      (it) => it.status,
      () => 'refused',
    ),
  )
  open()

  const reply = await reading
  await closed
  expect(reply).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  expect(reply).toMatch(/\r\nconnection: close\r\n/i)
  expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toMatchObject({ tokenId: '1' })
  expect((await harness.state()).tokens).toHaveLength(1)
  await silentClosed
})

test('a later request on an open connection is refused with service/stopping', async () => {
  const { storeThrough, started, open } = gatedStore()
  const { harness, port, stopping } = await startServer(storeThrough)
  const client = await openSocket(port)
  const late = await openSocket(port)
  const answers = [textUntilEnd(client), textUntilEnd(late)] as const
  // In progress until the rest of it arrives, so that its connection stays open.
  const head = requestText(port, 'GET', '/livez')
  late.write(head.slice(0, 10))
  client.write(requestText(port, 'POST', '/api/memory/snapshot', JSON.stringify(memory)))
  await started

  const closed = harness.server.close()
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

test('a server without requests closes at once, also with an idle connection', async () => {
  const { harness, port } = await startServer()
  const silent = await openSocket(port)
  const silentClosed = once(silent.resume(), 'close')
  await harness.server.close()
  await silentClosed
})

test('a snapshot whose client has left completes before the server is closed', async () => {
  const { storeThrough, started, open } = gatedStore()
  const { harness, port } = await startServer(storeThrough)
  const client = await openSocket(port)
  client.write(requestText(port, 'POST', '/api/memory/snapshot', JSON.stringify(memory)))
  await started
  client.destroy()

  const order: string[] = []
  const disconnected = once(harness.server.server, 'close')
  const closed = harness.server.close().then(() => order.push('closed'))
  await disconnected
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  order.push('gate opened')
  open()
  await closed
  expect(order).toEqual(['gate opened', 'closed'])
  expect((await harness.state()).tokens).toHaveLength(1)
})

test('a path that is refused before any hook does not delay the close', async () => {
  const { harness, port } = await startServer()
  await openSocket(port)
  const reply = await fetch(`http://127.0.0.1:${port}/api/memory/%FF/info`)
  expect(reply.status).toBe(400)
  await harness.server.close()
})
