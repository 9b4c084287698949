import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'

/** The faults between a client and a node. */
export const faults = [
  'answer dropped after delivery',
  'request dropped before delivery',
  'delivered twice',
  'answered late',
  '429',
  '500',
  'garbage',
  'already known',
  'nonce too low',
  'underpriced',
] as const
export type Fault = (typeof faults)[number]

/** Chooses the fault of a request by its first call; `undefined` forwards it without a fault. */
export type FaultPlan = (method: string) => Fault | undefined

/** A proxy between a client and a node. */
export type FaultyProxy = {
  readonly url: URL
  /** The number of injected faults of each kind. */
  readonly made: ReadonlyMap<Fault, number>
  /** Sets the plan for all later calls. */
  arrange(plan: FaultPlan): void
  close(): Promise<void>
}

/** Starts a proxy on a free loopback port. */
export async function startProxy(node: URL): Promise<FaultyProxy> {
  let plan: FaultPlan = () => undefined
  const made = new Map<Fault, number>()
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const sent: RpcCall | readonly RpcCall[] = JSON.parse(body)
    // The calls of one request share their fate.
    const [first] = 'method' in sent ? [sent] : sent
    const fault = plan(first?.method ?? '')
    if (fault !== undefined) made.set(fault, (made.get(fault) ?? 0) + 1)
    await handlers[fault ?? 'none']({ node, body, sent, response })
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    url: new URL(url),
    made,
    arrange: (next) => {
      plan = next
    },
    close,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

type RpcCall = { readonly id: unknown; readonly method: string }

type Exchange = {
  readonly node: URL
  readonly body: string
  readonly sent: RpcCall | readonly RpcCall[]
  readonly response: ServerResponse
}

async function forward({ node, body }: Exchange): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(node, { method: 'POST', headers, body })).text()
}

function answer({ response }: Exchange, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(text)
}

const respondWithError = (message: string) => async (exchange: Exchange) => {
  await forward(exchange)
  const error = { code: -32_000, message }
  const refuse = ({ id }: RpcCall) => ({ jsonrpc: '2.0', id, error })
  const { sent } = exchange
  answer(exchange, JSON.stringify('method' in sent ? refuse(sent) : sent.map(refuse)))
}

/** Longer than the polling interval of a ledger, in milliseconds. */
const delay = 150

const handlers: { readonly [fault in Fault | 'none']: (exchange: Exchange) => Promise<void> } = {
  none: async (exchange) => answer(exchange, await forward(exchange)),
  'answer dropped after delivery': async (exchange) => {
    await forward(exchange)
    exchange.response.destroy()
  },
  'request dropped before delivery': async ({ response }) => {
    response.destroy()
  },
  'delivered twice': async (exchange) => {
    await forward(exchange)
    answer(exchange, await forward(exchange))
  },
  'answered late': async (exchange) => {
    const text = await forward(exchange)
    await new Promise((resolve) => setTimeout(resolve, delay))
    answer(exchange, text)
  },
  429: async (exchange) => answer(exchange, 'slow down', 429),
  500: async (exchange) => answer(exchange, 'oops', 500),
  garbage: async (exchange) => answer(exchange, '<html>\u0000'),
  // The node accepted the call, and responds as a node may respond to a duplicate.
  'already known': respondWithError('already known'),
  'nonce too low': respondWithError('nonce too low'),
  underpriced: respondWithError('replacement transaction underpriced'),
}
