import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type {} from '../bounds/bound-clients.ts'
import { inFlight } from '../bounds/in-flight.ts'
import { clientOf } from '../request/client-of.ts'
import { batchRefusal, messagesOf } from '../../mcp/batch-refusal.ts'
import { askerHeader, here, inProcess, pairsOf } from '../../mcp/in-process.ts'
import { refuseForeignOrigin } from '../plugins/require-own-origin.ts'
import { anyRequest, problems } from '../../api/schemas.ts'
import { eventStreamType } from './events.ts'

const answer = {
  schema: Type.Unsafe<unknown>({
    description: 'The answer.',
    examples: [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }],
  }),
}

const schema = {
  operationId: 'mcp',
  tags: ['server'],
  summary: 'Read with a client of the Model Context Protocol',
  description:
    'Streamable HTTP without sessions, for the revisions from 2024-11-05 to 2026-07-28. Offers the tools that read, and memories as resources; `wallet_info` asks for an API key when the server has any.',
  body: Type.Unsafe<unknown>({
    description: 'A message of JSON-RPC 2.0.',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
  }),
  response: {
    200: {
      description: 'The answer, or a stream of server-sent events that ends with it.',
      content: { 'application/json': answer, [eventStreamType]: answer },
    },
    202: Type.Null({ description: 'The message asked for no answer.' }),
    ...problems([
      ...anyRequest,
      'request/foreign-origin',
      'request/too-large',
      'request/wrong-type',
    ]),
  },
}

const largestMessage = 2 ** 20

export declare namespace mcpRoute {
  type Options = {
    /** The most requests of one client that are under way; 0 for any. */
    readonly mostPerClient: number
  }
}

/** `POST /mcp` */
export function mcpRoute({ mostPerClient }: mcpRoute.Options): FastifyPluginAsyncTypebox {
  return async (app) => {
    const answers = answersOf(app)
    boundCalls(app, mostPerClient)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
      done(null, text)
    })
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const messages = messagesOf(request.body)
      const refusal = batchRefusal(messages)
      if (refusal !== undefined) return send(refusal, reply)
      app.countMore(request, messages - 1)
      return send(await answers(asked(request, reply)), reply)
    }
    app.post('/mcp', { schema, bodyLimit: largestMessage }, handler)
    // There are no sessions to listen to or to end, which is said as the protocol has it.
    app.route({
      ...{ method: ['GET', 'DELETE'], url: '/mcp', exposeHeadRoute: false },
      ...{ schema: { hide: true }, handler },
    })
  }
}

/** Returns what answers a request, once the SDK is loaded; it ends with the server. */
function answersOf(app: FastifyInstance): (request: Request) => Promise<Response> {
  // The SDK takes a tenth of a second to load, and most servers are never asked.
  let opened: Promise<McpHttpHandler> | undefined
  const open = async () => {
    const { mcpEndpoint } = await import('../../mcp/endpoint.ts')
    return mcpEndpoint(inProcess(app), (err) => app.log.error({ err }, 'failed'))
  }
  app.addHook('onClose', async () => {
    // What could not be opened has told so to whoever asked.
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

/** Refuses what pages elsewhere send, and what a client sends beyond its share. */
function boundCalls(app: FastifyInstance, mostPerClient: number): void {
  const flight = inFlight({ most: 0, mostPerClient, what: 'requests to MCP at once' })
  app.addHook('onRequest', (request, reply, done) => {
    // Reads too: a page elsewhere has no business with the tools of an agent.
    refuseForeignOrigin(request)
    reply.raw.once('close', flight.enter(clientOf(request), 1))
    done()
  })
}

/** Returns a request as the platform has it, which ends when nobody waits for its answer. */
function asked(request: FastifyRequest, reply: FastifyReply): Request {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const { method, body } = request
  const headers = pairsOf({ ...request.headers, [askerHeader]: request.ip })
  const sent = typeof body === 'string' ? { body } : {}
  // Its own name for whatever name it was reached by, which need not be one that a URL can hold.
  return new Request(`${here}/mcp`, {
    ...{ method, headers, signal: gone.signal },
    ...(method === 'POST' && sent),
  })
}

// Copied, for what concerns the connection is not the SDK's to decide.
function send({ status, headers, body }: Response, reply: FastifyReply): FastifyReply {
  reply.code(status)
  for (const [name, value] of headers) if (name !== 'connection') reply.header(name, value)
  return body === null ? reply.send() : reply.send(Readable.fromWeb(body as ReadableStream))
}
