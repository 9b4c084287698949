import { randomUUID } from 'node:crypto'
import { runForRequest } from '@heirloom/adapters/internal/request-trace'
import type { FastifyInstance } from 'fastify'
import type { RequestSpan, Tracing } from '../../observability/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request, where traces are recorded. */
    span: RequestSpan | undefined
  }
  interface FastifyContextConfig {
    /** Whether the route is read so often by machines that its requests are not traced. */
    readonly isUntraced?: boolean
  }
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the id that a client gave its request if it is harmless in a log, or a new one. */
export function requestIdOf({ 'x-request-id': given }: Headers): string {
  // Lines of the log quote it as it is, so it has no character that JSON would escape.
  return typeof given === 'string' && /^[\w.:/+=@~-]{1,128}$/.test(given) ? given : randomUUID()
}

/**
 * Returns the W3C trace context that a client sent, in version 00; `undefined` if it has none, or a
 * wrong one.
 */
export function traceparentOf({ traceparent: given }: Headers): string | undefined {
  if (typeof given !== 'string') return undefined
  const [, version, context] = traceContext.exec(given.slice(0, 56)) ?? []
  // Version 00 ends here; a later version may add more after a dash.
  return version === undefined || (version === '00' && given.length > 55)
    ? undefined
    : `00-${context}`
}

const traceContext =
  /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:-|$)/

/**
 * Answers each request with its id and its trace context, and keeps both for the work that is done for
 * it. Records its span, where traces are recorded.
 */
export function traceRequests(server: FastifyInstance, tracing: Tracing | undefined): void {
  server.decorateRequest('span', undefined)
  server.addHook('onRequest', (request, reply, done) => {
    const { id, method, headers, routeOptions } = request
    reply.header('x-request-id', id)
    const received = traceparentOf(headers)
    if (tracing !== undefined && !routeOptions.config.isUntraced) {
      const { url: route } = routeOptions
      request.span = tracing.startRequest({ method, route, requestId: id, traceparent: received })
    }
    const traceparent = request.span?.traceparent ?? received
    if (traceparent !== undefined) reply.header('traceparent', traceparent)
    done()
  })
  // Not earlier: what reads a body runs in the context of its connection.
  server.addHook('preHandler', ({ id, headers, span }, _, done) => {
    const traceparent = span?.traceparent ?? traceparentOf(headers)
    runForRequest({ requestId: id, traceparent }, done)
  })
  if (tracing === undefined) return
  server.addHook('onResponse', ({ span, caller }, { statusCode }, done) => {
    span?.end({ status: statusCode, key: caller?.name })
    done()
  })
}
