import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openHarness } from '../../../test/server-harness.ts'

describe('bytes that are no HTTP request', () => {
  it.each([
    ['garbage', 'what is this\r\n\r\n'],
    ['too many headers', `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(20_000)}\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
  ])('get a problem: %s', async (_, bytes) => {
    const { server } = openHarness()
    const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
    try {
      const socket = connect(Number(port), '127.0.0.1')
      const answer = text(socket)
      socket.write(bytes)
      const [head = '', body = ''] = (await answer).split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1.1 400 /)
      expect(head).toContain('application/problem+json')
      expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'request/malformed' })
    } finally {
      await server.close()
    }
  })
})
