import { Failure } from '@heirloom/core'
import type { FastifyServerOptions } from 'fastify'
import { problemOf } from '../../api/problem.ts'

type OnProtocolError = NonNullable<FastifyServerOptions['clientErrorHandler']>

const failure = new Failure('request/malformed', {
  where: 'request',
  problem: 'is no HTTP/1.1 message, has too many headers, or came too slowly',
})
const body = JSON.stringify(problemOf(failure))
const reply = [
  'HTTP/1.1 400 Bad Request',
  'content-type: application/problem+json',
  `content-length: ${Buffer.byteLength(body)}`,
  'cache-control: no-store',
  'connection: close',
  '',
  body,
].join('\r\n')

/** Replies to bytes that are no HTTP request, if the connection is still writable. */
export const protocolFailure: OnProtocolError = (error, socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else socket.end(reply)
}
