import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { currentRequest } from '@heirloom/adapters/internal/request-trace'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedTypes, bothTypes, inAcceptedType } from '../../mcp/accepted-types.ts'
import {
  clientAddressHeader,
  headerPairs,
  inProcessFetch,
  selfUrl,
} from '../../mcp/in-process-fetch.ts'
import { batchRefusal, countMessages, requireShortMessage } from '../../mcp/message-bounds.ts'
import type {} from '../bounds/bound-clients.ts'
import { inFlight } from '../bounds/in-flight.ts'
import { serveOperation } from '../operations/serve-operation.ts'
import { refuseForeignOrigin } from '../plugins/require-own-host.ts'
import { clientOf } from '../request/client-of.ts'

/** The largest message, one with a memory to verify; any other is shorter. */
const maxMessageBytes = 2 ** 20

export declare namespace mcpRoute {
  type Options = {
    /** The limit of concurrent requests of one client; 0 for no limit. */
    readonly maxPerClient: number
  }
}

/** `POST /mcp` */
export function mcpRoute({ maxPerClient }: mcpRoute.Options): FastifyPluginAsync {
  return async (app) => {
    const handle = mcpHandler(app)
    boundCalls(app, maxPerClient)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
      done(null, text)
    })
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      requireShortMessage(request.body)
      const messages = countMessages(request.body)
      const refusal = batchRefusal(messages)
      if (refusal !== undefined) return send(refusal, reply)
      app.countMore(request, messages - 1)
      const accepted = acceptedTypes(request.headers.accept)
      const answer = await handle(platformRequest(request, reply, accepted.length > 0))
      const isBatch = typeof request.body === 'string' && request.body.trimStart().startsWith('[')
      return send(await inAcceptedType(answer, accepted, isBatch), reply)
    }
    serveOperation(app, 'mcp', handler, { bodyLimit: maxMessageBytes })
    // There are no sessions to listen to or to end; the SDK replies as the protocol requires.
    app.route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      exposeHeadRoute: false,
      schema: { hide: true },
      config: { isRefused: true },
      handler,
    })
  }
}

/** Returns a handler that loads the SDK at the first request and closes it with the server. */
function mcpHandler(app: FastifyInstance): (request: Request) => Promise<Response> {
  // The SDK takes a tenth of a second to load, and most servers never use it.
  let opened: Promise<McpHttpHandler> | undefined
  const open = async () => {
    const { mcpEndpoint } = await import('../../mcp/mcp-endpoint.ts')
    return mcpEndpoint(inProcessFetch(app, requestHeaders), (err) =>
      app.log.error({ err }, 'failed'),
    )
  }
  app.addHook('onClose', async () => {
    // A failure to open was already reported to the request that caused it.
    await opened?.then(
      ({ close }) => close(),
      () => undefined,
    )
  })
  return async (request) => {
    opened ??= open()
    return (await opened).fetch(request)
  }
}

/** Returns the headers that let a call of a tool keep the id and the trace of its MCP request. */
function requestHeaders(): Readonly<Record<string, string>> {
  const { requestId, traceparent } = currentRequest() ?? {}
  return {
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

/** Refuses requests of foreign pages, and concurrent requests of a client beyond its limit. */
function boundCalls(app: FastifyInstance, maxPerClient: number): void {
  const flight = inFlight({ max: 0, maxPerClient, what: 'requests to MCP at once' })
  app.addHook('onRequest', (request, reply, done) => {
    // This includes reads: a foreign page must not use the tools of an agent.
    refuseForeignOrigin(request)
    reply.raw.once('close', flight.enter(clientOf(request), 1))
    done()
  })
}

/** Returns the request as a Web `Request`, which is aborted when its client leaves. */
function platformRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  isAcceptable: boolean,
): Request {
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  const { method, body } = request
  // The SDK wants both media types named; the answer is in one that the client accepts.
  const accept = isAcceptable ? bothTypes : request.headers.accept
  const headers = headerPairs({ ...request.headers, accept, [clientAddressHeader]: request.ip })
  const content = typeof body === 'string' ? { body } : {}
  // A fixed name, because the host of the request need not be valid in a URL.
  return new Request(new URL(request.url, selfUrl), {
    method,
    headers,
    signal: closed.signal,
    ...(method === 'POST' && content),
  })
}

// Copied header by header: the SDK must not decide about the connection.
function send({ status, headers, body }: Response, reply: FastifyReply): FastifyReply {
  reply.code(status)
  for (const [name, value] of headers) if (name !== 'connection') reply.header(name, value)
  return body === null ? reply.send() : reply.send(Readable.fromWeb(body as ReadableStream))
}
