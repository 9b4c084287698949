import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { anyRequest, problems } from '../schemas.ts'

/** Answers a parsed JSON-RPC 2.0 body; `undefined` when it asks for no answer. */
export type Rpc = (body: unknown) => Promise<unknown>

const schema = {
  operationId: 'rpc',
  tags: ['server'],
  summary: 'Ask the embedded chain (JSON-RPC 2.0)',
  description:
    'The standard methods of an Ethereum node; transactions arrive signed, so no API key is asked for.',
  body: Type.Unsafe<unknown>({
    description: 'One call, or a batch of up to 100.',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }],
  }),
  response: {
    200: Type.Unsafe<unknown>({
      description: 'The answer, or the answers to a batch.',
      examples: [{ jsonrpc: '2.0', id: 1, result: '0x7a69' }],
    }),
    204: Type.Null({ description: 'The call asked for no answer.' }),
    ...problems([
      ...anyRequest,
      'request/foreign-origin',
      'request/too-large',
      'request/wrong-type',
    ]),
  },
}

const largestCall = 2 ** 20

/** `POST /rpc` */
export const rpcRoute =
  (rpc: Rpc): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
      done(null, parse(text as string))
    })
    app.post('/rpc', { schema, bodyLimit: largestCall }, async ({ body }, reply) => {
      const answer = body === unreadable ? parseError : await rpc(body)
      return answer === undefined ? reply.code(204).send(null) : reply.code(200).send(answer)
    })
  }

const unreadable = Symbol('unreadable')
const parseError = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'The text is not JSON.' },
}

// A client of JSON-RPC understands its parse error, and a batch is no JSON object.
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return unreadable
  }
}
