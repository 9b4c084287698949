import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openHarness } from '../../../test/server-harness.ts'

const limit = 2 ** 24
const size = 2 * limit - 1000

/** Sends a whole request before it reads the reply, as most clients do. */
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
    ['with a content length', [json, `content-length: ${size}`], 'x'.repeat(size)],
    [
      'in chunks',
      [json, 'transfer-encoding: chunked'],
      `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`,
    ],
  ])(
    '%s is refused with a reply that a client can read after it sent everything',
    async (_, head, body) => {
      const { server, state } = openHarness({ config: { bodyLimit: limit } })
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
    },
  )
})
