import { isIPv6 } from 'node:net'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { anyRequest, problemResponses } from '../../api/schemas.ts'

/**
 * Answers a parsed JSON-RPC 2.0 body of a client: with `undefined` when it asks for no answer, and
 * with the seconds to wait where nothing was done because the client has used its share.
 */
export type Rpc = (
  body: unknown,
  client: string,
) => Promise<{ readonly answer: unknown; readonly retryAfter?: number | undefined }>

const schema = {
  operationId: 'rpc',
  tags: ['server'],
  summary: 'Ask the embedded chain (JSON-RPC 2.0)',
  description:
    'The standard methods of an Ethereum node, without filters; transactions arrive signed, so no API key is required. It is on where HOST is a loopback address or RPC_OPEN is true. Calls and transactions may use little gas (RPC_GAS), one request is carried out at a time, and each client has a share of the time of the chain and of the gas of a day.',
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
    429: Type.Unsafe<unknown>({
      description:
        'Nothing was done, for the client has used its share: JSON-RPC errors with the code -32005. The header `retry-after` has the seconds to wait.',
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

const largestCall = 2 ** 18

/** `POST /rpc` */
export const rpcRoute =
  (rpc: Rpc): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
      done(null, parse(text as string))
    })
    app.post('/rpc', { schema, bodyLimit: largestCall }, async ({ body, ip }, reply) => {
      const answered = body === unreadable ? { answer: parseError } : await rpc(body, clientOf(ip))
      return sendAnswer(reply, answered)
    })
  }

function sendAnswer(reply: FastifyReply, { answer, retryAfter }: Awaited<ReturnType<Rpc>>) {
  if (retryAfter !== undefined) reply.code(429).header('retry-after', retryAfter)
  else reply.code(answer === undefined ? 204 : 200)
  return reply.send(answer ?? null)
}

/** Returns the name of a client: its address, of IPv6 the part that its network gave it. */
export function clientOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  return mapped ?? prefixOf(ip)
}

function prefixOf(ip: string): string {
  // The parser of addresses writes them in one form, in which only a run of zeros may be left out.
  const written = new URL(`http://[${ip.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [front = [], back = []] = written.split('::').map((part) => part.split(':'))
  const zeros = written.includes('::') ? Array<string>(8 - front.length - back.length) : []
  const groups = [...front, ...zeros.fill('0'), ...back].map((group) => group || '0')
  return `${groups.slice(0, 4).join(':')}::/64`
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
