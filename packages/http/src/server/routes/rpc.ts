import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { anyRequest, problemResponses } from '../../api/problem-responses.ts'
import { networkOf } from '../request/client-of.ts'

/**
 * Answers a parsed JSON-RPC 2.0 body of a client. The answer is `undefined` if the body needs none;
 * `retryAfter` has the seconds to wait if nothing was done because the client has used its share.
 */
export type Rpc = (
  body: unknown,
  client: string,
) => Promise<{ readonly answer: unknown; readonly retryAfter?: number | undefined }>

const schema = {
  operationId: 'rpc',
  tags: ['server'],
  summary: 'Call the embedded chain (JSON-RPC 2.0)',
  description:
    'The standard methods of an Ethereum node, without filters; transactions arrive signed, so no API key is required. It is on where only this machine reaches the server, or RPC_OPEN is true. Calls and transactions may use little gas (RPC_GAS), one request runs at a time, and each client has a share of the time of the chain and of the gas of a day.',
  body: Type.Unsafe<unknown>({
    description: 'One call, or a batch of up to 100.',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }],
  }),
  response: {
    200: Type.Unsafe<unknown>({
      description: 'The answer, or the answers to a batch.',
      examples: [{ jsonrpc: '2.0', id: 1, result: '0x7a69' }],
    }),
    204: Type.Null({ description: 'The call needs no answer.' }),
    429: Type.Unsafe<unknown>({
      description:
        'Nothing was done, because the client has used its share: JSON-RPC errors with the code -32005. The header `retry-after` has the seconds to wait.',
      examples: [
        {
          ...{ jsonrpc: '2.0', id: 1 },
          error: { code: -32005, message: 'This client has used its share; try again in 4 s.' },
        },
      ],
    }),
    ...problemResponses([
      ...anyRequest,
      'request/foreign-origin',
      'request/too-large',
      'request/wrong-type',
    ]),
  },
}

const maxCallBytes = 2 ** 18

/** `POST /rpc` */
export const rpcRoute =
  (rpc: Rpc): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
      done(null, parse(text as string))
    })
    app.post('/rpc', { schema, bodyLimit: maxCallBytes }, async ({ body, ip }, reply) => {
      const answer = body === unreadable ? { answer: parseError } : await rpc(body, networkOf(ip))
      return sendAnswer(reply, answer)
    })
  }

function sendAnswer(reply: FastifyReply, { answer, retryAfter }: Awaited<ReturnType<Rpc>>) {
  if (retryAfter !== undefined) reply.code(429).header('retry-after', retryAfter)
  else reply.code(answer === undefined ? 204 : 200)
  return reply.send(answer ?? null)
}

const unreadable = Symbol('unreadable')
const parseError = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'The text is not JSON.' },
}

// A JSON-RPC client expects the parse error of its protocol, and a batch is no JSON object.
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return unreadable
  }
}
