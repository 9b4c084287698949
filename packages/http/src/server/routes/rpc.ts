import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { type Handler, serveOperation } from '../operations/serve-operation.ts'
import { networkOf } from '../request/client-of.ts'

/**
 * Answers a parsed JSON-RPC 2.0 body of a client. The answer is `undefined` if the body needs none;
 * `retryAfter` has the seconds to wait if nothing was done because the client has used its share.
 */
export type Rpc = (
  body: unknown,
  client: string,
) => Promise<{ readonly answer: unknown; readonly retryAfter?: number | undefined }>

const maxCallBytes = 2 ** 18

/** `POST /rpc` */
export const rpcRoute =
  (rpc: Rpc): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
      done(null, parse(text as string))
    })
    const call: Handler<'rpc'> = async ({ body, ip }, reply) => {
      const answer = body === unreadable ? { answer: parseError } : await rpc(body, networkOf(ip))
      return sendAnswer(reply, answer)
    }
    serveOperation(app, 'rpc', call, { bodyLimit: maxCallBytes })
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
    return longId.test(text) ? exact.parse(text, keepLongId) : JSON.parse(text)
  } catch {
    return unreadable
  }
}

/** An id whose digits a number may not hold. */
const longId = /"id"\s*:\s*-?[\d.eE+-]{16}/

/** The functions of JSON that keep the digits of a number (ECMAScript 2026). */
const exact = JSON as unknown as {
  readonly parse: (text: string, reviver: Reviver) => unknown
  readonly rawJSON: (text: string) => unknown
}
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const keepLongId: Reviver = (key, value, { source }) =>
  key === 'id' && typeof value === 'number' && source !== undefined ? exact.rawJSON(source) : value
