import type { ClientRequest, IncomingMessage } from 'node:http'
import {
  createTransport,
  HttpRequestError,
  RpcRequestError,
  TimeoutError,
  type Transport,
} from 'viem'
import { batcher, type RpcCall, type RpcResponse } from './batcher.ts'

export declare namespace httpTransport {
  type Options = {
    /** The time that a node may take to respond, in milliseconds. */
    readonly timeout: number
    /** The delay before the one retry of a request, in milliseconds. */
    readonly retryDelay: number
    /** Observes how each request ended, after its retry. */
    readonly observe?: ((response: NodeResponse) => void) | undefined
  }
}

/** Whether a node answered a request; an answer may be a refusal. */
export type NodeResponse =
  | { readonly answered: true }
  | { readonly answered: false; readonly error: unknown }

/** The longest wait for a retry that a node may ask for, in seconds. */
const longestRetryAfter = 2

/** The longest response body that is read, in bytes. */
const longestBody = 10 * 2 ** 20

/**
 * Returns a viem transport to a node over HTTP, on persistent connections. It fails with the errors
 * of viem's own transport, which show no more of the address than host and port.
 *
 * That transport with `batch: true` (viem 2.57.0, side by side) takes 3 times as long for 50 calls at
 * once and 5 times for calls one by one.
 */
export function httpTransport(
  url: URL,
  { timeout, retryDelay, observe }: httpTransport.Options,
): Transport {
  const request = httpSender(url, timeout)
  const config = { key: 'http', name: 'HTTP JSON-RPC', type: 'http', retryCount: 1 } as const
  return () => {
    const made = createTransport({ ...config, request, retryDelay, timeout }, { url: shownOf(url) })
    return observe === undefined ? made : { ...made, request: observed(made.request, observe) }
  }
}

/** Sends a call to a node, and returns its result. */
export type RpcSender = (call: RpcCall) => Promise<never>

/**
 * Returns a function that sends calls to a node, without a retry. The calls of one turn of the event
 * loop share a request. It throws `HttpRequestError` or `TimeoutError` when the node gives no answer in
 * JSON-RPC, and `RpcRequestError` when it refuses.
 */
export function httpSender(url: URL, timeout: number): RpcSender {
  const node = nodeAt(url, timeout)
  let id = 0
  const numbered = ({ method, params }: RpcCall) => ({ jsonrpc: '2.0', id: ++id, method, params })
  const single = (call: RpcCall) => sendSingle(node, numbered(call))
  const batch = (calls: readonly RpcCall[]) => sendBatch(node, calls.map(numbered))
  const batched = batcher({ single, batch })
  return async (call) => {
    const { error, result } = await (isAlone(call) ? single(call) : batched(call))
    if (error) throw new RpcRequestError({ body: call, error, url: node.shown })
    return result as never
  }
}

/**
 * Returns whether a call goes by itself: a transaction, so that it gets an HTTP status of its own, and
 * a search for events, which may take long. All others come in groups.
 */
const isAlone = ({ method }: RpcCall): boolean =>
  method === 'eth_sendRawTransaction' || method === 'eth_getLogs'

/** Returns whether an error means that a node did not answer. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof HttpRequestError || error instanceof TimeoutError

type Request = ReturnType<Transport>['request']

const observed = (request: Request, observe: (response: NodeResponse) => void): Request =>
  (async (...call: Parameters<Request>) => {
    try {
      const answer = await request(...call)
      observe({ answered: true })
      return answer
    } catch (error) {
      observe(isUnanswered(error) ? { answered: false, error } : { answered: true })
      throw error
    }
  }) as Request

type Node = {
  readonly open: (onResponse: (response: IncomingMessage) => void) => ClientRequest
  readonly timeout: number
  /** The address as errors show it. */
  readonly shown: string
}

function nodeAt(url: URL, timeout: number): Node {
  const { request, Agent } = nodeHttp(url)
  const agent = new Agent({ keepAlive: true })
  const { username, password, protocol, hostname, port, pathname, search } = url
  const auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const options = {
    agent,
    method: 'POST',
    protocol,
    port,
    path: `${pathname}${search}`,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    headers: { 'content-type': 'application/json' },
    ...(username !== '' && { auth }),
  }
  return { open: (onResponse) => request(options, onResponse), timeout, shown: shownOf(url) }
}

/** Returns an address without its path and its credentials: providers put keys into both. */
const shownOf = ({ origin }: URL): string => origin

type NumberedCall = RpcCall & { readonly id: number }

async function sendSingle(node: Node, call: NumberedCall): Promise<RpcResponse> {
  const reply = await post(node, { sent: call })
  const response = parseJson(reply.text)
  if (isResponse(response) && (isSuccess(reply.status) || isRpcError(response.error))) {
    return response
  }
  throw invalidReply(node, { sent: call }, reply)
}

async function sendBatch(
  node: Node,
  calls: readonly NumberedCall[],
): Promise<readonly (RpcResponse | undefined)[] | undefined> {
  const [first] = calls
  if (calls.length === 1 && first !== undefined) return [await sendSingle(node, first)]
  const reply = await post(node, { sent: calls })
  const responses = parseJson(reply.text)
  if (Array.isArray(responses)) {
    const byId = new Map(responses.filter(isResponse).map((response) => [response.id, response]))
    return calls.map(({ id }) => byId.get(id))
  }
  // One response to many calls, or a refusal of the request: the node does not support batches.
  if (isResponse(responses) || isClientError(reply.status)) return undefined
  throw invalidReply(node, { sent: calls }, reply)
}

type Body = { readonly sent: NumberedCall | readonly NumberedCall[] }

async function post(node: Node, body: Body): Promise<Reply> {
  const url = node.shown
  return exchange(node, JSON.stringify(body.sent)).catch((cause: Error) => {
    throw cause === timedOut
      ? new TimeoutError({ body, url })
      : new HttpRequestError({ body, url, cause })
  })
}

function invalidReply({ shown: url }: Node, body: Body, { status, retryAfter }: Reply): Error {
  // The transport of viem waits as long as this header says, and a node can say a year.
  const waits = Number(retryAfter) <= longestRetryAfter
  const headers = new Headers(waits ? { 'retry-after': String(retryAfter) } : {})
  const details = 'The node gave no answer in JSON-RPC.'
  return new HttpRequestError({ body, url, status, headers, details })
}

const isClientError = (status: number) => status >= 400 && status < 500 && status !== 429
const isSuccess = (status: number) => status >= 200 && status < 300

type Reply = {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

const timedOut = new Error('The node did not answer in time.')

async function exchange({ open, timeout }: Node, body: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const request = open((response) => {
    const { statusCode: status = 0, headers } = response
    readText(response).then(
      (text) => resolve({ status, retryAfter: headers['retry-after'], text }),
      reject,
    )
  })
  request.on('error', reject)
  request.end(body)
  const timer = setTimeout(() => request.destroy(timedOut), timeout)
  return promise.finally(() => clearTimeout(timer))
}

function readText(response: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const parts: Buffer[] = []
  let length = 0
  response.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length > longestBody) response.destroy(new Error('The answer is too long.'))
  })
  response.on('error', reject)
  response.on('end', () => resolve(Buffer.concat(parts).toString()))
  return promise
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isResponse(value: unknown): value is RpcResponse & { readonly id?: unknown } {
  return typeof value === 'object' && value !== null && ('result' in value || 'error' in value)
}

// Some nodes refuse a call with an HTTP error status beside the JSON-RPC error.
function isRpcError(error: RpcResponse['error']): boolean {
  return typeof error?.code === 'number' && typeof error.message === 'string'
}

type Http = typeof import('node:http') | typeof import('node:https')

/**
 * Returns Node's HTTP module for the protocol of an address. An `import` of `node:http` evaluates
 * all its exports, three of which load the whole of `fetch`: a tenth of the start-up time.
 */
export const nodeHttp = ({ protocol }: URL): Http =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
