import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { askerHeader, here, inProcess, pairsOf } from '../mcp/in-process.ts'
import { refuseForeignOrigin } from '../own-origin.ts'
import { anyRequest, problems } from '../schemas.ts'
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

/** `POST /mcp` */
export const mcpRoute: FastifyPluginAsyncTypebox = async (app) => {
  // The SDK takes a tenth of a second to load, and most servers are never asked.
  let opened: Promise<McpHttpHandler> | undefined
  const open = async () => {
    const { mcpEndpoint } = await import('../mcp/endpoint.ts')
    return mcpEndpoint(inProcess(app), (err) => app.log.error({ err }, 'failed'))
  }
  app.addHook('onClose', async () => {
    // What could not be opened has told so to whoever asked.
    await opened?.then(
      ({ close }) => close(),
      () => undefined,
    )
  })
  // Reads too: a page elsewhere has no business with the tools of an agent.
  app.addHook('onRequest', (request, _, done) => {
    refuseForeignOrigin(request)
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
    done(null, text)
  })
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    opened ??= open()
    const { fetch } = await opened
    return send(await fetch(asked(request, reply)), reply)
  }
  app.post('/mcp', { schema, bodyLimit: largestMessage }, handler)
  // There are no sessions to listen to or to end, which is said as the protocol has it.
  app.route({
    ...{ method: ['GET', 'DELETE'], url: '/mcp', exposeHeadRoute: false },
    ...{ schema: { hide: true }, handler },
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
