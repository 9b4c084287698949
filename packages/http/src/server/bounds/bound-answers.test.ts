import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { platform } from 'node:os'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { boundAnswers } from './bound-answers.ts'

/** Longer than what the system takes for a client that reads nothing. */
const long = JSON.stringify('x'.repeat(16_000_000))

/** Opens a server whose answers may be four times as long together, and returns how to ask it. */
async function openServer() {
  const app = fastify()
  boundAnswers(app, 4 * long.length)
  app.get('/', async () => long)
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nhost: it\r\n\r\n')
    await once(socket, 'data')
    return socket.pause()
  }
}

/** Reads all that is left, and returns its length. */
async function lengthLeft(socket: Socket): Promise<number> {
  let length = 0
  for await (const chunk of socket) {
    length += (chunk as Buffer).length
    if (length > long.length - 2 ** 17) break
  }
  return length
}

// Other systems have one loopback address.
test.skipIf(platform() !== 'linux')(
  'a client that reads nothing loses its own oldest answers, and no other client one',
  async () => {
    const ask = await openServer()
    const patient = await ask('127.0.0.2')
    const unread: Socket[] = []
    for (let count = 0; count < 9; count += 1) unread.push(await ask('127.0.0.3'))
    const lengths = await Promise.all([patient, ...unread].map(lengthLeft))
    const isWhole = lengths.map((length) => length > long.length / 2)
    expect(isWhole).toEqual([true, ...Array(6).fill(false), true, true, true])
  },
)
