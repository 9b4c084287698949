import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../../../test/server-harness.ts'

const limit = 2 ** 24
const size = 2 * limit - 1000

/** Sends all of a request before it looks for an answer, as most clients do. */
function sendAll(port: number, head: readonly string[], body: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const failed = new Promise<never>((_, reject) => socket.once('error', reject))
  const sent = new Promise((resolve) => {
    const lines = ['POST /api/memory/snapshot HTTP/1.1', `host: 127.0.0.1:${port}`, ...head]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.write(body, resolve)
  })
  return Promise.race([failed, sent.then(() => text(socket))])
}

const json = 'content-type: application/json'

describe('a body over the limit', () => {
  it.each([
    ['of a length told beforehand', [json, `content-length: ${size}`], 'x'.repeat(size)],
    [
      'in chunks',
      [json, 'transfer-encoding: chunked'],
      `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`,
    ],
  ])('%s is answered to a client that sends all of it first', async (_, head, body) => {
    const { server, state } = openWorld({ config: { bodyLimit: limit } })
    const before = await state()
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    try {
      const answer = await sendAll(Number(new URL(url).port), head, body)
      expect(answer).toMatch(/^HTTP\/1.1 413 /)
      expect(answer).toContain('"code":"request/too-large"')
      expect(await state()).toEqual(before)
    } finally {
      await server.close()
    }
  })
})
